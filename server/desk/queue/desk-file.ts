import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import { fileUuid } from '../../files/file.ts';
import type { CallerOf } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import type { FileRow } from '../../jobs/job-file.ts';

/** Files without a job are the customer's own and are not shown here. */
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

/** An upload of the studio; for a worker only one of its own. */
export async function ownStudioFile(db: Db, caller: CallerOf<'desk'>, id: string): Promise<FileRow> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where('uploaded_by', '=', 'studio')
    .where('id', '=', fileUuid(id))
    .executeTakeFirst();
  if (!file || (caller.method === 'worker_key' && file.worker_key_id !== caller.keyId))
    throw new Refusal('file_not_found');
  return file;
}
