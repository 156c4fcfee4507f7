import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../server/db/pool.ts';

/** Waits until this many statements of the test's database wait for a lock. */
export async function untilBlocked(db: Db, statements = 1): Promise<void> {
  const count = sql<{ blocked: number }>`
    select count(*)::int as blocked from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await count.execute(db)).rows[0]!.blocked < statements) await wait(10);
}

/** Ends the statements that wait for a lock, with the error of a statement that took too long. */
export const cancelBlocked = (db: Db) =>
  sql`select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
