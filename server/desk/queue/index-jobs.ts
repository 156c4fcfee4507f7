import { sql } from 'kysely';
import { type Db, transact, type Trx } from '../../db/pool.ts';

const batchSize = 500;

/**
 * Stores the words of new and changed jobs for the search of the desk, the newest first. Then those of the
 * jobs for which the version before has stored title and brief alone.
 */
export async function indexJobs(db: Db, stopped: AbortSignal, alive?: () => Promise<void>): Promise<void> {
  for (let count = batchSize; count === batchSize && !stopped.aborted;) {
    await queueNew(db);
    count = (await transact(db, indexQueued)) || (await transact(db, completeWords));
    await alive?.();
  }
}

/** The oldest first: `isNew` leaves out what is older than a job with words. */
const queueNew = (db: Db) =>
  sql`
    insert into unindexed_jobs (account_id, job_id)
    select j.account_id, j.id from jobs j
    where ${isNew} and (select true from unindexed_jobs u where u.account_id = j.account_id and u.job_id = j.id limit 1) is null
    order by j.created_at limit ${batchSize} for share of j skip locked on conflict do nothing`.execute(db);

/**
 * Of `jobs j`. A minute more than the newest indexed job, because commits do not follow the order of
 * creation. With `not exists`, Postgres reads the words of all jobs.
 */
export const isNew = sql<boolean>`(
  j.created_at > coalesce((select max(created_at) from job_words), '-infinity') - interval '1 minute'
  and (select true from job_words w where w.account_id = j.account_id and w.job_id = j.id limit 1) is null)`;

/**
 * Whoever changes a job after the first statement waits for the commit. The second statement reads what was
 * changed before.
 */
async function indexQueued(trx: Trx): Promise<number> {
  const { rows } = await sql<Key>`
    delete from unindexed_jobs u using (
      select account_id, job_id from unindexed_jobs order by queued_at desc limit ${batchSize} for update skip locked) due
    where u.account_id = due.account_id and u.job_id = due.job_id returning u.account_id, u.job_id`.execute(trx);
  return storeWords(trx, rows);
}

/** Whoever withdraws a text deletes the words of its job, and waits for the commit, too. */
async function completeWords(trx: Trx): Promise<number> {
  const { rows } = await sql<Key>`
    select account_id, job_id from job_words where not complete
    order by created_at desc limit ${batchSize} for update skip locked`.execute(trx);
  return storeWords(trx, rows);
}

type Key = { account_id: string; job_id: string };

/** In the order of 0.2.0, so that the tasks of both versions wait for each other instead of deadlocking. */
async function storeWords(trx: Trx, jobs: Key[]): Promise<number> {
  if (jobs.length === 0) return 0;
  await sql`
    insert into job_words (account_id, job_id, created_at, words, complete)
    select j.account_id, j.id, j.created_at, words_of_job(j.account_id, j.id), true
    from unnest(${jobs.map((job) => job.account_id)}::uuid[], ${jobs.map((job) => job.job_id)}::uuid[]) due (account_id, id)
    join jobs j on j.account_id = due.account_id and j.id = due.id
    order by j.created_at
    on conflict (account_id, job_id) do update set words = excluded.words, complete = true`.execute(trx);
  return jobs.length;
}
