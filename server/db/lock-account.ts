import type { Trx } from './pool.ts';

/**
 * Locks an account by its row of counters until the transaction ends, so that counted changes happen one
 * after the other.
 */
export const lockAccount = (trx: Trx, accountId: string) =>
  trx
    .selectFrom('account_counters')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
