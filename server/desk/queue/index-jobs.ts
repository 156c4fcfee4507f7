import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';

const batchSize = 500;

/** Stores the words of new jobs for the search of the desk. */
export async function indexJobs(db: Db, stopped: AbortSignal): Promise<void> {
  for (let count = batchSize; count === batchSize && !stopped.aborted;) count = await indexSome(db);
}

async function indexSome(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into job_words (account_id, job_id, created_at, words)
    select j.account_id, j.id, j.created_at, ${wordsOfJob} from jobs j
    where ${isUnindexed} order by j.created_at limit ${batchSize}
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows);
}

export const wordsOfJob = sql`words_of(j.customer_title || ' ' || j.customer_instructions)`;

/**
 * A minute more than the newest indexed job, because commits do not follow the order of creation. With
 * `not exists`, Postgres reads the words of all jobs.
 */
export const isUnindexed = sql<boolean>`(
  j.created_at > coalesce((select max(created_at) from job_words), '-infinity') - interval '1 minute'
  and (select true from job_words w where w.account_id = j.account_id and w.job_id = j.id limit 1) is null)`;
