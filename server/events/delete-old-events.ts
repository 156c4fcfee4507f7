import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** Job events live as long as the job, others for 90 days. Older cursors are refused. */
export async function deleteOldEvents(db: Db, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const accountId = await accountWithOldEvents(db);
    if (accountId === null) return;
    await deleteOldEventsOf(db, accountId);
  }
}

const isOld = sql`job_id is null and created_at <= now() - interval '90 days'`;

async function accountWithOldEvents(db: Db): Promise<string | null> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from events where ${isOld} order by created_at limit 1`.execute(db);
  return rows[0]?.account_id ?? null;
}

async function deleteOldEventsOf(db: Db, accountId: string): Promise<void> {
  await sql`
    with counter as (
      select account_id from account_counters where account_id = ${accountId} for no key update
    ),
    gone as (
      delete from events where account_id = ${accountId} and ${isOld} returning seq
    )
    update account_counters c set expired_event = greatest(c.expired_event, (select max(seq) from gone))
    from counter where c.account_id = ${accountId}`.execute(db);
}
