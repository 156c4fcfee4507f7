import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';

/** Why the studio suspended an account: the only words about a customer that the log has. */
export async function eraseReasons(trx: Trx, accountId: string): Promise<void> {
  const entries = sql`account_id = ${accountId} and action = 'suspension.started' and details ? 'reason'`;
  const { rows } = await sql`select from audit_log where ${entries} limit 1`.execute(trx);
  if (rows.length === 0) return;
  await lockRights(trx);
  // The service has no right to change entries. It takes the right inside this transaction only.
  await sql`grant update (details) on audit_log to current_user`.execute(trx);
  await sql`update audit_log set details = details - 'reason' where ${entries}`.execute(trx);
  await sql`revoke update (details) on audit_log from current_user`.execute(trx);
}

/** Of two transactions that change the rights of a table at once, Postgres fails one. */
export const lockRights = (trx: Trx) =>
  sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' audit_log', 0))`.execute(trx);
