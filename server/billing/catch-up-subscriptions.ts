import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { type Db, lockCounters, transact } from '../db/pool.ts';
import type { Terms } from './verify-terms.ts';
import { rewriteSubscription } from './rewrite-subscription.ts';

type Key = { account_id: string; subscription: string };

const atOnce = 100;

/**
 * Recomputes the subscriptions that the previous version wrote, before the upgrade or beside it, and those
 * that a changed `PAUSED_COLLECTION` affects.
 */
export async function catchUpSubscriptions(
  { db, log, terms }: { db: Db; log: FastifyBaseLogger; terms: Terms },
  stopped: AbortSignal,
): Promise<void> {
  let last: Key | null = null;
  for (;;) {
    const rows: Key[] = await behind(db, terms, last);
    for (const { account_id: accountId, subscription } of rows) {
      if (stopped.aborted) return;
      await transact(db, async (trx) => {
        await lockCounters(trx, accountId);
        await rewriteSubscription(trx, { accountId, subscription }, terms, null);
      }).catch((error: unknown) => log.error({ err: error, subscription }, 'a subscription could not be worked out'));
    }
    last = rows.at(-1) ?? null;
    if (rows.length < atOnce) return;
  }
}

async function behind(db: Db, { servesUncollected }: Terms, after: Key | null): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select account_id, subscription from entitlements
    where (facts_receipt is distinct from event_receipt
        or collection_paused and serves_uncollected is distinct from ${servesUncollected})
      and ${after === null ? sql`true` : sql`(account_id, subscription) > (${after.account_id}, ${after.subscription})`}
    order by account_id, subscription limit ${atOnce}`.execute(db);
  return rows;
}
