import type { Static } from 'typebox';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Entitlement } from '../../contract/entitlements.ts';
import { plansFor, type PlanPurpose } from '../../contract/pages.ts';
import type { Db } from '../db/pool.ts';
import type { CallerKind } from '../http/caller.ts';
import { type Detail, Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { EntitlementPeriods, Entitlements } from '../tables.ts';

/**
 * Whether an entitlement gives access now, by the database clock. For statements with `entitlements e` and
 * `entitlement_periods p`. A period stays usable for some hours while its renewal event is on the way, except
 * for a past-due subscription.
 */
export const usable = (graceHours: number): RawBuilder<boolean> => sql<boolean>`(
  (e.status = 'active' and now() < p.period_end + make_interval(hours => ${graceHours}::int))
  or (e.status = 'past_due' and now() < p.period_end))`;

/** A stopped subscription never shows as `expired`: it continues at the provider. */
const shownStatus = (graceHours: number) => sql<Static<typeof Entitlement>['status']>`
  case when e.status = 'active' and not ${usable(graceHours)} then 'expired' else e.status end`;

export async function hasUsablePlan(db: Db, accountId: string, graceHours: number): Promise<boolean> {
  return (await runningPlans(db, accountId, graceHours)).some(({ usable }) => usable);
}

type RunningPlan = Pick<Static<typeof Entitlement>, 'plan_code' | 'name' | 'access_kind'> & {
  status: 'active' | 'past_due' | 'paused';
  usable: boolean;
};

export async function runningPlans(db: Db, accountId: string, graceHours: number): Promise<RunningPlan[]> {
  const { rows } = await sql<RunningPlan>`
    select distinct e.code as plan_code, e.name, e.access_kind, e.status, coalesce(${usable(graceHours)}, false) as usable
    from entitlements e left join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} and (e.status in ('past_due', 'paused') or ${usable(graceHours)})
    order by e.code`.execute(db);
  return rows;
}

export const serves = (plan: Pick<RunningPlan, 'access_kind'>, kind: CallerKind | null): boolean =>
  kind === null || plan.access_kind === kind || plan.access_kind === 'both';

/** What a plan is needed for, and for which kind of caller; null for any. */
export type PlanNeed = { purpose: PlanPurpose; kind: CallerKind | null };

/** Why no plan serves this kind of caller, or any caller, and what an owner or admin can do. */
export async function planRequired(db: Db, accountId: string, graceHours: number, need: PlanNeed): Promise<Refusal> {
  const { kind } = need;
  const served = kind === null ? '' : kind === 'human' ? ' that serves sessions' : ' that serves API keys';
  const stopped = (await runningPlans(db, accountId, graceHours)).find((plan) => !plan.usable && serves(plan, kind));
  if (!stopped)
    return new Refusal('entitlement_required', {
      message: `The account has no active plan${served}.`,
      action: `Have an owner or admin start a plan${served}; see access_kind in GET /api/v1/plans.`,
      details: [onPlansPage(accountId, need, 'start a plan')],
    });
  const { name, status } = stopped;
  return new Refusal('entitlement_required', {
    message: status === 'paused' ? `The plan ${name} is paused.` : `The payment for the plan ${name} is overdue.`,
    action: `Have an owner or admin ${status === 'paused' ? 'resume it' : 'pay it'} with POST /api/checkout/portal.`,
    details: [onPlansPage(accountId, need, status === 'paused' ? 'resume the plan' : 'pay the plan')],
  });
}

const onPlansPage = (accountId: string, { purpose, kind }: PlanNeed, act: string): Detail => ({
  location: 'plan',
  message: `An owner or admin can ${act} on this page.`,
  page: plansFor(purpose, { by: kind, account: showId('acct', accountId) }),
});

/** Names the end of the first period that ends of those that serve the caller. */
export async function quotaExceeded(db: Db, accountId: string, graceHours: number, need: PlanNeed): Promise<Refusal> {
  const { rows } = await sql<{ resets_at: Date | null }>`
    select min(p.period_end) as resets_at
    from entitlements e join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} and ${usable(graceHours)} and e.access_kind in (${need.kind}, 'both')
      and p.period_end > now()`.execute(db);
  const resetsAt = rows[0]?.resets_at?.toISOString();
  return new Refusal('quota_exceeded', {
    details: [
      { ...onPlansPage(accountId, need, 'move to a larger plan'), ...(resetsAt ? { resets_at: resetsAt } : {}) },
    ],
  });
}

type Row = Pick<
  Selectable<Entitlements>,
  'id' | 'name' | 'unit' | 'quota' | 'concurrency_limit' | 'granted_at' | 'updated_at'
> &
  Pick<Selectable<EntitlementPeriods>, 'used' | 'period_start' | 'period_end'> &
  Pick<Static<typeof Entitlement>, 'plan_code' | 'access_kind' | 'status'>;

/** Newest first. A subscription that never granted anything has no period. */
export async function readEntitlements(
  db: Db,
  accountId: string,
  graceHours: number,
  { older = sql``, limit = null }: { older?: RawBuilder<unknown>; limit?: number | null } = {},
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select e.id, e.code as plan_code, e.name, e.access_kind, ${shownStatus(graceHours)} as status, e.unit, e.quota,
      e.concurrency_limit, e.granted_at, e.updated_at, p.used, p.period_start, p.period_end
    from entitlements e join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} ${older}
    order by e.granted_at desc, e.id desc limit ${limit}`.execute(db);
  return rows;
}

export const showEntitlement = ({
  id,
  granted_at,
  updated_at,
  period_start,
  period_end,
  ...row
}: Row): Static<typeof Entitlement> => ({
  ...row,
  id: showId('ent', id),
  remaining: Math.max(row.quota - row.used, 0),
  period: { start: period_start.toISOString(), end: period_end.toISOString() },
  granted_at: granted_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
