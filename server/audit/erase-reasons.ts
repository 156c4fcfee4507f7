import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { withRight } from './rights.ts';

/** Why the studio suspended an account: the only words about a customer that the log has. */
export async function eraseReasons(trx: Trx, accountId: string): Promise<void> {
  const entries = sql`account_id = ${accountId} and action = 'suspension.started' and details ? 'reason'`;
  const { rows } = await sql`select from audit_log where ${entries} limit 1`.execute(trx);
  if (rows.length === 0) return;
  const erased = sql`update audit_log set details = details - 'reason' where ${entries}`;
  await withRight(trx, 'update (details)', () => erased.execute(trx));
}
