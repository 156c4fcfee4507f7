import { sql } from 'kysely';
import { batch } from '../db/batch.ts';
import { announce, type Db, type Trx } from '../db/pool.ts';

/** How often comments of an account have changed, and messages were withdrawn. */
export type UnloggedChanges = { comments: number; messages: number };
export type ReadUnloggedChanges = (accountId: string) => Promise<UnloggedChanges>;

/** The streams of all accounts that wake together share a statement. */
export const createUnloggedChanges = (db: Db): ReadUnloggedChanges =>
  batch(
    async (accountIds: readonly string[]) => {
      const { rows } = await sql<UnloggedChanges & { account_id: string }>`
        select account_id, comments::int, messages::int from unlogged_changes
        where account_id = any(${[...new Set(accountIds)]}::uuid[])`.execute(db);
      const latest = new Map(rows.map((row) => [row.account_id, row]));
      return accountIds.map((id) => latest.get(id) ?? { comments: 0, messages: 0 });
    },
    { maxBatchSize: 500, maxInFlight: 2 },
  );

/** Wakes the open pages of the account. Call it last: it locks a row of the account. */
export async function announceUnlogged(trx: Trx, accountId: string, what: keyof UnloggedChanges): Promise<void> {
  await sql`
    insert into unlogged_changes as c (account_id, ${sql.ref(what)}) values (${accountId}, 1)
    on conflict (account_id) do update set ${sql.ref(what)} = ${sql.ref(`c.${what}`)} + 1`.execute(trx);
  announce(trx, accountId);
}
