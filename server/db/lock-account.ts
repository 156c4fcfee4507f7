import type { Trx } from './pool.ts';

/** Locks the account's counters, so that counted changes happen one after the other. */
export const lockAccount = (trx: Trx, accountId: string) =>
  trx
    .selectFrom('account_counters')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute();
