import { type Selectable, sql } from 'kysely';
import type { Plan } from '../catalog/catalog.ts';
import type { Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { statusDetail } from '../entitlements/entitlement.ts';
import type { EntitlementPeriods, Entitlements } from '../tables.ts';
import type { Period } from './anchored-month.ts';

export type SubscriptionRow = Selectable<Entitlements> &
  Partial<Pick<Selectable<EntitlementPeriods>, 'period_start' | 'period_end' | 'grant_created_at' | 'anchor'>> & {
    status_detail: 'trial' | 'not_paid' | null;
  };

/** With its period, if anything was ever granted. */
export async function findRow(trx: Trx, accountId: string, subscription: string): Promise<SubscriptionRow | null> {
  const { rows } = await sql<SubscriptionRow>`
    select e.*, p.period_start, p.period_end, p.grant_created_at, p.anchor, ${statusDetail} as status_detail
    from entitlements e left join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} and e.subscription = ${subscription}`.execute(trx);
  return rows[0] ?? null;
}

/** The account that the subscription is bound to. */
export async function subscriberOf(trx: Trx, subscription: string): Promise<string | null> {
  const bound = trx.selectFrom('subscriptions').select('account_id').where('id', '=', subscription);
  return (await bound.executeTakeFirst())?.account_id ?? null;
}

export type Columns = Pick<
  Selectable<Entitlements>,
  | 'status'
  | 'state'
  | 'state_since'
  | 'serves_until'
  | 'ends_at'
  | 'paid_until'
  | 'collection_paused'
  | 'event_created_at'
  | 'event_rank'
  | 'event_receipt'
  | 'facts_receipt'
  | 'serves_uncollected'
  | 'carried_as'
  | 'carried_at'
  | 'carried_start'
  | 'carried_end'
> &
  Partial<Pick<Selectable<Entitlements>, 'granted_at' | 'updated_at'>>;

/** Uses the current limits of the plan. A plan that is no longer sold keeps the granted ones. */
export async function writeRow(
  trx: Trx,
  { accountId, subscription }: { accountId: string; subscription: string },
  columns: Columns,
  plan: Plan | undefined,
): Promise<string> {
  if (!plan) {
    const row = trx
      .updateTable('entitlements')
      .where('account_id', '=', accountId)
      .where('subscription', '=', subscription);
    return (await row.set(columns).returning('id').executeTakeFirstOrThrow()).id;
  }
  const { code, name, access_kind, unit, quota, concurrency_limit } = plan;
  const all = { ...columns, code, name, access_kind, unit, quota, concurrency_limit };
  await bindSubscription(trx, subscription, accountId);
  const row = trx
    .insertInto('entitlements')
    .values({ account_id: accountId, subscription, ...all })
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

type GrantedPeriod = Period & { anchor: Date; grantedBy: { createdAt: Date; rank: number; receipt: string } };

/** The same start keeps its usage. For another one the ledger and the adjustments say what was used. */
export async function writePeriod(
  trx: Trx,
  accountId: string,
  entitlementId: string,
  { start, end, anchor, grantedBy }: GrantedPeriod,
): Promise<void> {
  const used = await usedIn(trx, accountId, entitlementId, start);
  await sql`
    insert into entitlement_periods as p
      (account_id, entitlement_id, period_start, period_end, grant_created_at, grant_rank, grant_receipt, anchor, used)
    values (${accountId}, ${entitlementId}, ${start}, ${end}, ${grantedBy.createdAt}, ${grantedBy.rank}, ${grantedBy.receipt}, ${anchor}, ${used})
    on conflict (account_id, entitlement_id) do update set
      period_start = excluded.period_start,
      period_end = excluded.period_end,
      grant_created_at = excluded.grant_created_at,
      grant_rank = excluded.grant_rank,
      grant_receipt = excluded.grant_receipt,
      used = case when p.period_start = excluded.period_start then p.used else excluded.used end`.execute(trx);
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
