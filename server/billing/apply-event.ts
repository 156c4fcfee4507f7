import { sql } from 'kysely';
import type { Catalog, Plan } from '../catalog/catalog.ts';
import { lockCounters } from '../db/lock-account.ts';
import { databaseTime, type Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { appendEvents } from '../events/append-events.ts';
import { notify } from '../notifications/notify.ts';
import { byService } from '../http/cause.ts';
import { closeCheckout, replaceCheckouts } from './checkout.ts';
import { type Grant, judgeEvent, type Reason, type Subscription } from './judge-event.ts';
import { faultOf, type Payload, subscriptionEvent, type SubscriptionEvent } from './provider-event.ts';

export type Terms = { plans: Catalog['plans']; livemode: boolean };

export async function judgeAndApply(
  trx: Trx,
  payload: Payload,
  { created, receipt }: { created: Date; receipt: number },
  terms: Terms,
): Promise<{ accountId: string | null; reason: Reason | null }> {
  const fault = faultOf(payload);
  if (fault !== null) return { accountId: null, reason: `${fault}: not of the form that the provider documents` };
  const event = subscriptionEvent(payload, created);
  if (!event) return { accountId: null, reason: 'unsupported type' };
  return applyEvent(trx, event, terms, receipt);
}

/**
 * Judges an event and writes its changes: the only place that writes entitlements. Locks the account first,
 * as admission and moves do, so what is read afterwards stays true until the commit.
 */
async function applyEvent(
  trx: Trx,
  event: SubscriptionEvent,
  { plans, livemode }: Terms,
  receipt: number,
): Promise<{ accountId: string | null; reason: Reason | null }> {
  const accountId = event.customer && (await lockAccountOf(trx, event.customer));
  const before = event.subscription === null ? null : await findSubscription(trx, event.subscription);
  const { reason, next } = judgeEvent(event, {
    accountId,
    subscription: before,
    livemode,
    plans,
    receipt,
  });
  if (event.subscription !== null && next !== null) {
    const granted = next.grant === (before?.grant ?? null) ? null : next.grant;
    const plan = plans.get(next.code);
    const at = await databaseTime(trx);
    const columns = {
      status: next.status,
      event_created_at: next.newest.createdAt,
      event_rank: next.newest.rank,
      event_receipt: next.newest.receipt,
      ...(granted && !before?.grant ? { granted_at: at } : {}),
      ...(reason === null ? { updated_at: at } : {}),
    };
    const id = await writeEntitlement(trx, next.accountId, event.subscription, columns, plan);
    if (granted) await writePeriod(trx, next.accountId, id, granted);
    if (reason === null && granted && plan) {
      await closeCheckout(trx, next.accountId, next.code);
      await replaceCheckouts(trx, next.accountId, plan, plans, null);
    }
    if (reason === null)
      await appendEvents(trx, next.accountId, byService(), [
        { type: 'entitlement.changed', data: { plan_code: next.code } },
      ]);
    if (reason === null && next.status !== before?.status)
      await tellManagers(trx, next.accountId, {
        cause: `${id} ${next.newest.receipt}`,
        state: next.status,
        about: plan?.name ?? next.code,
      });
  }
  return { accountId, reason };
}

async function tellManagers(trx: Trx, accountId: string, change: { cause: string; state: string; about: string }) {
  const managers = trx.selectFrom('members').select('user_id').where('account_id', '=', accountId);
  const rows = await managers.where('role', 'in', ['owner', 'admin']).execute();
  await notify(
    trx,
    rows.map(({ user_id }) => user_id),
    { kind: 'plan', accountId, ...change },
  );
}

/** A customer stays bound to its account, so what was read before the lock is right. */
async function lockAccountOf(trx: Trx, customer: string): Promise<string | null> {
  const bound = await trx
    .selectFrom('provider_customers')
    .select('account_id')
    .where('customer', '=', customer)
    .executeTakeFirst();
  if (!bound) return null;
  await lockCounters(trx, bound.account_id);
  return bound.account_id;
}

async function findSubscription(trx: Trx, subscription: string): Promise<Subscription | null> {
  const bound = await trx
    .selectFrom('subscriptions')
    .select('account_id')
    .where('id', '=', subscription)
    .executeTakeFirst();
  if (!bound) return null;
  const row = await trx
    .selectFrom('entitlements as e')
    .leftJoin('entitlement_periods as p', (on) =>
      on.on('p.account_id', '=', bound.account_id).onRef('p.entitlement_id', '=', 'e.id'),
    )
    .where('e.account_id', '=', bound.account_id)
    .where('e.subscription', '=', subscription)
    .select(['e.account_id', 'e.code', 'e.status', 'e.event_created_at', 'e.event_rank', 'e.event_receipt'])
    .select(['p.period_start', 'p.period_end', 'p.grant_created_at', 'p.grant_rank', 'p.grant_receipt', 'p.anchor'])
    .executeTakeFirst();
  if (!row) return null;
  const { period_start, period_end, grant_created_at, grant_rank, grant_receipt, anchor } = row;
  return {
    accountId: row.account_id,
    code: row.code,
    status: row.status,
    newest: { createdAt: row.event_created_at, rank: row.event_rank, receipt: Number(row.event_receipt) },
    grant:
      period_start && period_end && grant_created_at && grant_rank !== null && anchor
        ? {
            order: { createdAt: grant_created_at, rank: grant_rank, receipt: Number(grant_receipt) },
            period: { start: period_start, end: period_end },
            anchor,
          }
        : null,
  };
}

type Columns = {
  status: Subscription['status'];
  event_created_at: Date;
  event_rank: number;
  event_receipt: number;
  granted_at?: Date;
  updated_at?: Date;
};

/** Uses the current limits of the plan. A plan that is no longer sold keeps the granted ones. */
async function writeEntitlement(
  trx: Trx,
  account_id: string,
  subscription: string,
  columns: Columns,
  plan: Plan | undefined,
): Promise<string> {
  if (!plan) {
    const row = trx
      .updateTable('entitlements')
      .where('account_id', '=', account_id)
      .where('subscription', '=', subscription);
    return (await row.set(columns).returning('id').executeTakeFirstOrThrow()).id;
  }
  const { code, name, access_kind, unit, quota, concurrency_limit } = plan;
  const all = { ...columns, code, name, access_kind, unit, quota, concurrency_limit };
  await bindSubscription(trx, subscription, account_id);
  const row = trx
    .insertInto('entitlements')
    .values({ account_id, subscription, ...all })
    .onConflict((conflict) => conflict.columns(['account_id', 'subscription']).doUpdateSet(all));
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

/** If another account has the subscription, it keeps it, and the provider sends this event again. */
async function bindSubscription(trx: Trx, id: string, account_id: string): Promise<void> {
  const bound = await trx
    .insertInto('subscriptions')
    .values({ id, account_id })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ account_id }).where('subscriptions.account_id', '=', account_id),
    )
    .returning('id')
    .executeTakeFirst();
  if (!bound) throw new Refusal('service_unavailable', { headers: { 'retry-after': '2' } });
}

/** The same start keeps its usage. For another one the ledger and the adjustments say what was used. */
async function writePeriod(
  trx: Trx,
  accountId: string,
  entitlementId: string,
  { period, order, anchor }: Grant,
): Promise<void> {
  const used = await usedIn(trx, accountId, entitlementId, period.start);
  await sql`
    insert into entitlement_periods as p
      (account_id, entitlement_id, period_start, period_end, grant_created_at, grant_rank, grant_receipt, anchor)
    values (${accountId}, ${entitlementId}, ${period.start}, ${period.end}, ${order.createdAt}, ${order.rank}, ${order.receipt}, ${anchor})
    on conflict (account_id, entitlement_id) do update set
      period_start = excluded.period_start,
      period_end = excluded.period_end,
      grant_created_at = excluded.grant_created_at,
      grant_rank = excluded.grant_rank,
      grant_receipt = excluded.grant_receipt,
      used = case when p.period_start = excluded.period_start then p.used else ${used}::int end`.execute(trx);
}

/** Stays true until the commit, because the account is locked. */
async function usedIn(trx: Trx, accountId: string, entitlementId: string, start: Date): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select (coalesce((select sum(quantity) from usage_totals
        where account_id = ${accountId} and entitlement_id = ${entitlementId} and period_start = ${start}), 0)
      + coalesce((select sum(quantity) from quota_adjustments
        where account_id = ${accountId} and entitlement_id = ${entitlementId} and period_start = ${start}), 0))::int as used`.execute(
    trx,
  );
  return rows[0]?.used ?? 0;
}
