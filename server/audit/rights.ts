import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';

/**
 * The service has no right to change or delete entries of the log: it takes the right for one transaction.
 * If two transactions change the rights of a table at once, Postgres fails one, so they take turns.
 */
export async function withRight(trx: Trx, right: 'delete' | 'update (details)', use: () => Promise<unknown>) {
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' audit_log', 0))`.execute(trx);
  await sql`grant ${sql.raw(right)} on audit_log to current_user`.execute(trx);
  await use();
  await sql`revoke ${sql.raw(right)} on audit_log from current_user`.execute(trx);
}
