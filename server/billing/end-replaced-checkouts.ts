import { sql } from 'kysely';
import pTimeout from 'p-timeout';
import { deadlines } from '../lib/deadlines.ts';
import { expireCheckout } from './checkout.ts';
import type { Db } from '../db/pool.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Provider } from './provider.ts';

/** Ends replaced checkouts that can still be paid, such as after an outage of the provider. */
export async function endReplacedCheckouts(
  { db, log, provider }: { db: Db; log: FastifyBaseLogger; provider: Provider },
  stopped: AbortSignal,
): Promise<void> {
  const replaced = await db
    .selectFrom('checkouts')
    .select(['account_id', 'id', 'code'])
    .where('replaced_at', 'is not', null)
    .where('paid_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('expires_at')
    .limit(100)
    .execute();
  for (const { account_id, id, code } of replaced) {
    if (stopped.aborted) return;
    const isEnded = await pTimeout(provider.endCheckout(id), { milliseconds: deadlines.provider.checkout });
    if (isEnded) await expireCheckout(db, account_id, id);
    else log.warn({ checkout: id, plan: code }, 'a checkout was paid beside a plan that serves the same');
  }
}
