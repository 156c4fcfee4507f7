import { sql } from 'kysely';
import { Refusal } from '../http/refusal.ts';
import type { Db, Trx } from './pool.ts';

/** Locks the account's counters, so that counted changes happen one after the other. */
export const lockCounters = (trx: Trx, accountId: string) =>
  trx
    .selectFrom('account_counters')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute();

/**
 * For a request of the account: one that waited while the account was closed is refused, so that nothing is
 * written into a closed account. The statement that waits reads what was there before, so another one looks.
 */
export async function lockAccount(trx: Trx, accountId: string): Promise<void> {
  await lockCounters(trx, accountId);
  if (await isClosed(trx, accountId))
    throw new Refusal('no_active_account', { message: 'The account was closed in the meantime.' });
}

/** Only a closed account has no members: the last owner cannot leave another one. */
export async function isClosed(db: Db | Trx, accountId: string): Promise<boolean> {
  const { rows } = await sql`select from members where account_id = ${accountId} limit 1`.execute(db);
  return rows.length === 0;
}
