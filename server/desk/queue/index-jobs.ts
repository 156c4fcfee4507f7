import { sql } from 'kysely';
import { type Db, transact, type Trx } from '../../db/pool.ts';

const batchSize = 200;

/** Stores the words of new and changed jobs for the search of the desk, the newest first. */
export async function indexJobs(db: Db, stopped: AbortSignal, alive?: () => Promise<void>): Promise<void> {
  for (let count = batchSize; count === batchSize && !stopped.aborted;) {
    count = await transact(db, indexSome);
    await alive?.();
  }
}

/**
 * Whoever changes a job after the first statement waits for the commit. The second statement reads what was
 * changed before.
 */
async function indexSome(trx: Trx): Promise<number> {
  const { rows } = await sql<{ account_id: string; job_id: string }>`
    delete from unindexed_jobs u using (
      select account_id, job_id from unindexed_jobs order by queued_at desc limit ${batchSize} for update skip locked) due
    where u.account_id = due.account_id and u.job_id = due.job_id returning u.account_id, u.job_id`.execute(trx);
  if (rows.length === 0) return 0;
  await sql`
    insert into job_words (account_id, job_id, created_at, words)
    select j.account_id, j.id, j.created_at, words_of_job(j.account_id, j.id)
    from unnest(${rows.map((row) => row.account_id)}::uuid[], ${rows.map((row) => row.job_id)}::uuid[]) due (account_id, id)
    join jobs j on j.account_id = due.account_id and j.id = due.id
    on conflict (account_id, job_id) do update set words = excluded.words`.execute(trx);
  return rows.length;
}
