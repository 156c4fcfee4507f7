import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { fileUuid } from '../files/file.ts';
import { Refusal } from '../http/refusal.ts';

/** A file of a job whose bytes are there. Files that no job has are the customer's own affair. */
export async function uploadedJobFile(db: Db, id: string) {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .select(sql<Date>`now()`.as('now'))
    .where('id', '=', fileUuid(id))
    .where('status', '=', 'uploaded')
    .executeTakeFirst();
  if (!file?.job_id) throw new Refusal('file_not_found');
  return { ...file, job_id: file.job_id };
}
