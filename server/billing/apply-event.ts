import { sql } from 'kysely';
import type { Catalog } from '../catalog/catalog.ts';
import type { Trx } from '../kit/db.ts';
import { judgeEvent, type Reason, type Subscription } from './judge-event.ts';
import type { SubscriptionEvent } from './provider-event.ts';

/** What decides besides the event: what is sold, and in which mode the provider works. */
export type Terms = { plans: Catalog['plans']; livemode: boolean };

/**
 * Judges an event against what is known and writes what it changes: the only place that writes entitlements. The account
 * is locked first, as by admission and moves, so what is read after it stays true until the commit.
 */
export async function applyEvent(
  trx: Trx,
  event: SubscriptionEvent,
  { plans, livemode }: Terms,
): Promise<{ accountId: string | null; reason: Reason | null }> {
  const accountId = await lockAccountOf(trx, event.customer);
  const before = await findSubscription(trx, event.subscription);
  const { reason, next } = judgeEvent(event, { accountId, subscription: before, livemode, plans });
  if (event.subscription !== null && next !== null) {
    await writeEntitlement(trx, event.subscription, next, { plans, isFirstGrant: !before?.grant && next.grant !== null });
    if (reason === null && next.status === 'active') await closeCheckout(trx, next);
  }
  return { accountId, reason };
}

async function lockAccountOf(trx: Trx, customer: string | null): Promise<string | null> {
  const bound = await trx
    .selectFrom('account_counters as a')
    .innerJoin('provider_customers as c', 'c.account_id', 'a.account_id')
    .select('a.account_id')
    .where('c.customer', '=', customer)
    .forNoKeyUpdate('a')
    .executeTakeFirst();
  return bound?.account_id ?? null;
}

async function findSubscription(trx: Trx, subscription: string | null): Promise<Subscription | null> {
  const row = await trx
    .selectFrom('entitlements as e')
    .leftJoin('entitlement_periods as p', 'p.entitlement_id', 'e.id')
    .where('e.subscription', '=', subscription)
    .select(['e.account_id', 'e.code', 'e.status', 'e.event_created_at', 'e.event_rank'])
    .select(['p.period_start', 'p.period_end', 'p.grant_created_at', 'p.grant_rank', 'p.anchor'])
    .executeTakeFirst();
  if (!row) return null;
  const { period_start, period_end, grant_created_at, grant_rank, anchor } = row;
  return {
    accountId: row.account_id,
    code: row.code,
    status: row.status as Subscription['status'],
    newest: { createdAt: row.event_created_at, rank: row.event_rank },
    grant:
      period_start && period_end && grant_created_at && grant_rank !== null && anchor
        ? {
            order: { createdAt: grant_created_at, rank: grant_rank },
            period: { start: period_start, end: period_end },
            anchor,
          }
        : null,
  };
}

/** The row of the subscription, with the limits that its plan has now; a plan that is no longer sold keeps those it had. */
async function writeEntitlement(
  trx: Trx,
  subscription: string,
  next: Subscription,
  { plans, isFirstGrant }: { plans: Terms['plans']; isFirstGrant: boolean },
): Promise<void> {
  const plan = plans.get(next.code);
  const state = {
    status: next.status,
    event_created_at: next.newest.createdAt,
    event_rank: next.newest.rank,
    updated_at: sql<Date>`now()`,
    ...(isFirstGrant ? { granted_at: sql<Date>`now()` } : {}),
  };
  const { id } = plan
    ? await upsert(trx, { account_id: next.accountId, subscription, ...limitsOf(plan), ...state })
    : await trx
        .updateTable('entitlements')
        .set(state)
        .where('subscription', '=', subscription)
        .returning('id')
        .executeTakeFirstOrThrow();
  if (next.grant) await writePeriod(trx, id, next.grant);
}
