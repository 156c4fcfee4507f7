import { sql } from 'kysely';
import { type Db, transact } from '../db/pool.ts';
import { byService } from '../http/request.ts';
import { appendEvents } from './append-events.ts';

/** Numbers to skip: more than an account can have lost. */
export const gap = 1_000_000;

/**
 * After a restore that lost commits, clients may have read their numbers, so these must not be used again.
 * Each account skips a million, the only possible gap, and an event asks its readers to list its jobs again.
 * Each account has its own transaction, so the service may be running. Running it twice only skips more.
 */
export async function restartFeed(db: Db): Promise<number> {
  const cause = byService();
  const accounts = await db.selectFrom('account_counters').select('account_id').execute();
  for (const { account_id: accountId } of accounts)
    await transact(db, async (trx) => {
      await trx
        .updateTable('account_counters')
        .where('account_id', '=', accountId)
        .set({ last_event: sql<string>`last_event + ${gap}` })
        .execute();
      await appendEvents(trx, accountId, cause, [{ type: 'feed.restarted' }]);
    });
  return accounts.length;
}
