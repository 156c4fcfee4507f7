import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import type { JobKey } from './job-event.ts';

/**
 * A text was added, so the words by which the desk finds the job are stored anew. Waits for the task that
 * reads its texts. New jobs need no call: the task finds them by their date.
 */
export const queueWords = (trx: Trx, { account_id, id }: JobKey) =>
  sql`
    insert into unindexed_jobs (account_id, job_id, queued_at) values (${account_id}, ${id}, now())
    on conflict (account_id, job_id) do update set queued_at = excluded.queued_at`.execute(trx);

/** A text was taken back: the words of the job leave with this transaction, and are stored anew. */
export async function forgetWords(trx: Trx, job: JobKey): Promise<void> {
  await queueWords(trx, job);
  await sql`delete from job_words where account_id = ${job.account_id} and job_id = ${job.id}`.execute(trx);
}
