import { sql } from 'kysely';
import { type Db, transact } from '../db/pool.ts';

type Ended = { account_id: string; job_id: string };

const atOnce = 200;

/**
 * Deletes the events of jobs that ended more than so many months ago, all of a job together. The job, its
 * deliveries and what it came to stay. Null keeps all. Older cursors of the account's log are refused.
 */
export async function deleteOldHistories(db: Db, months: number | null, stopped: AbortSignal): Promise<void> {
  if (months === null) return;
  const isOld = sql`events_deleted_at is null and ended_at <= now() - make_interval(months => ${months})`;
  const find = () =>
    sql<Ended>`
    select account_id, job_id from job_outcomes where ${isOld} order by ended_at limit ${atOnce}`.execute(db);
  for (let { rows } = await find(); rows.length > 0 && !stopped.aborted; { rows } = await find())
    for (const [accountId, jobs] of Map.groupBy(rows, ({ account_id }) => account_id)) {
      if (stopped.aborted) return;
      await deleteHistories(
        db,
        accountId,
        jobs.map(({ job_id }) => job_id),
      );
    }
}

async function deleteHistories(db: Db, accountId: string, jobs: readonly string[]): Promise<void> {
  await transact(db, async (trx) => {
    await sql`
      with counter as (
        select account_id from account_counters where account_id = ${accountId} for no key update
      ),
      gone as (
        delete from events where account_id = ${accountId} and job_id = any(${jobs}::uuid[]) returning seq
      )
      update account_counters c set expired_event = greatest(c.expired_event, (select max(seq) from gone))
      from counter where c.account_id = ${accountId}`.execute(trx);
    await sql`
      delete from job_due_date_changes where account_id = ${accountId} and job_id = any(${jobs}::uuid[])`.execute(trx);
    await sql`
      update job_outcomes set events_deleted_at = now()
      where account_id = ${accountId} and job_id = any(${jobs}::uuid[])`.execute(trx);
  });
}
