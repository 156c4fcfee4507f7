import { sql } from 'kysely';
import type { CallerOf } from '../http/caller.ts';
import type { JobRow } from '../jobs/job.ts';
import type { Db, Trx } from '../db/pool.ts';
import { fileUuid } from '../files/file.ts';
import { Refusal } from '../http/refusal.ts';
import { refuseUnlessLive, refuseWorkerWithout } from './holder-move.ts';

/** Files of a job are for operators, and for the worker that holds it: a lease token, once sent, must be of a live lease. */
export async function refuseUnlessHolding(
  trx: Trx,
  caller: CallerOf<'desk'>,
  job: JobRow,
  token: string | undefined,
): Promise<void> {
  refuseWorkerWithout(caller, token);
  if (token !== undefined) await refuseUnlessLive(trx, caller, job, token);
}

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
