import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { type WholeJob, wholeColumns, wholeJobs } from './job.ts';
import type { JobKey } from './job-event.ts';

/** A job that its transaction has changed. */
export async function wholeJob(trx: Trx, job: JobKey, graceHours: number): Promise<WholeJob> {
  const account = sql`${job.account_id}::uuid`;
  const { rows } = await wholeJobs(
    wholeColumns(graceHours, account),
    sql`jobs j where j.account_id = ${account} and j.id = ${job.id}`,
    account,
  ).execute(trx);
  if (!rows[0]) throw new Error('A job vanished inside its transaction.');
  return rows[0];
}
