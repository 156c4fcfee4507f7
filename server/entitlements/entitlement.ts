import type { Static } from 'typebox';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Entitlement, EntitlementStatus } from '../../contract/plans/entitlements.ts';
import { type PlanFacts, remedyOf, whyStopped } from '../../contract/plans/plan-words.ts';
import { plansFor, type PlanPurpose } from '../../contract/pages.ts';
import type { Db } from '../db/pool.ts';
import type { CallerKind } from '../http/request.ts';
import { type Detail, Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { EntitlementPeriods, Entitlements } from '../tables.ts';

/**
 * Whether an entitlement gives access now, by the database clock. For statements with `entitlements e` and
 * `entitlement_periods p`. A period stays usable for some hours while its renewal event is on the way, unless
 * it is overdue, a trial, ended or paused.
 */
export const usable = (graceHours: number): RawBuilder<boolean> => sql<boolean>`(
  e.status in ('active', 'past_due') and now() < least(e.serves_until, e.ends_at, p.period_end
    + case when e.status = 'active' then make_interval(hours => ${graceHours}::int) else interval '0' end))`;

/** A stopped subscription never shows as `expired`: it continues at the provider, until the end set there. */
export const shownStatus = (graceHours: number) => sql<EntitlementStatus>`
  case when e.ends_at <= now() then 'canceled' when e.status <> 'active' or ${usable(graceHours)} then e.status
    when e.collection_paused then 'stopped' else 'expired' end`;

/** An active plan may be a trial, and the provider may have given up the invoice of one that goes on. */
export const statusDetail = sql<Static<typeof Entitlement>['status_detail']>`
  case when e.status = 'active' and e.state = 'trialing' then 'trial'
    when e.status = 'past_due' and e.state in ('active', 'trialing') then 'not_paid' end`;

/** For an overdue plan, `period.end` is when orders end, although nobody may pay for the period. */
const shownEnd = sql<Date>`
  case when e.status = 'past_due' then least(p.period_end, e.serves_until) else p.period_end end`;

export async function hasUsablePlan(db: Db, accountId: string, graceHours: number): Promise<boolean> {
  return (await runningPlans(db, accountId, graceHours)).some(({ usable }) => usable);
}

type Plan = Pick<
  Static<typeof Entitlement>,
  'plan_code' | 'name' | 'access_kind' | 'status_detail' | 'collection_paused'
> & {
  status: Exclude<EntitlementStatus, 'canceled'>;
  ends_at: Date | null;
  paid_until: Date | null;
  period_end: Date | null;
  usable: boolean;
};

/** Those that give access, and those that have stopped and go on at the provider. */
export const runningPlans = (db: Db, accountId: string, graceHours: number): Promise<Plan[]> =>
  findPlans(
    db,
    accountId,
    graceHours,
    sql`(e.status in ('past_due', 'paused', 'stopped') or e.status = 'active' and e.collection_paused
      or ${usable(graceHours)})`,
  );

/** Includes plans whose period ended without an event: they may go on at the provider. */
export const existingPlans = (db: Db, accountId: string, graceHours: number): Promise<Plan[]> =>
  findPlans(db, accountId, graceHours, sql`e.status <> 'canceled'`);

async function findPlans(db: Db, accountId: string, graceHours: number, chosen: RawBuilder<unknown>): Promise<Plan[]> {
  const { rows } = await sql<Plan>`
    select distinct e.code as plan_code, e.name, e.access_kind, ${shownStatus(graceHours)} as status,
      ${statusDetail} as status_detail, e.ends_at, e.paid_until, e.collection_paused, ${shownEnd} as period_end,
      coalesce(${usable(graceHours)}, false) as usable
    from entitlements e left join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} and (e.ends_at is null or e.ends_at > now()) and ${chosen}
    order by e.code`.execute(db);
  return rows;
}

export const serves = (plan: Pick<Plan, 'access_kind'>, kind: CallerKind | null): boolean =>
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
  const facts = { ...showFacts(stopped), name: `the plan ${stopped.name}` };
  const verb = verbs[remedyOf(facts) ?? 'ask'];
  return new Refusal('entitlement_required', {
    message: `${whyStopped(facts)}.`,
    action: `Have an owner or admin ${verb ? `${verb} it with POST /api/checkout/portal` : 'ask the studio about it'}.`,
    details: [onPlansPage(accountId, need, `${verb ?? 'look at'} the plan`)],
  });
}

/** What an owner or admin does at the payment provider; null if only the studio can do something. */
const verbs = { resume: 'resume', pay: 'pay', keep: 'keep', ask: null };

/** The facts of a plan as its words need them. */
export const showFacts = ({ name, ends_at, paid_until, period_end, ...plan }: Plan): PlanFacts => ({
  ...plan,
  name,
  ends_at: ends_at?.toISOString() ?? null,
  paid_until: paid_until?.toISOString() ?? null,
  period: period_end && { end: period_end.toISOString() },
});

const onPlansPage = (accountId: string, { purpose, kind }: PlanNeed, act: string): Detail => ({
  location: 'plan',
  message: `An owner or admin can ${act} on this page.`,
  page: plansFor(purpose, { by: kind, account: showId('acct', accountId) }),
});

/** Names when the first new period begins, of the plans that serve the caller and go on. */
export async function quotaExceeded(db: Db, accountId: string, graceHours: number, need: PlanNeed): Promise<Refusal> {
  const { rows } = await sql<{ resets_at: Date | null }>`
    select min(p.period_end) as resets_at
    from entitlements e join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} and ${usable(graceHours)} and e.access_kind in (${need.kind}, 'both')
      and e.status = 'active' and not e.collection_paused and (e.ends_at is null or e.ends_at > p.period_end)
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
  | 'id'
  | 'name'
  | 'unit'
  | 'quota'
  | 'concurrency_limit'
  | 'granted_at'
  | 'updated_at'
  | 'ends_at'
  | 'paid_until'
  | 'collection_paused'
> &
  Pick<Selectable<EntitlementPeriods>, 'used' | 'period_start' | 'period_end'> &
  Pick<Static<typeof Entitlement>, 'plan_code' | 'access_kind' | 'status' | 'status_detail'>;

/** Newest first. A subscription that never granted anything has no period. */
export async function readEntitlements(
  db: Db,
  accountId: string,
  graceHours: number,
  { older = sql``, limit = null }: { older?: RawBuilder<unknown>; limit?: number | null } = {},
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select e.id, e.code as plan_code, e.name, e.access_kind, ${shownStatus(graceHours)} as status,
      ${statusDetail} as status_detail, e.unit, e.quota, e.concurrency_limit, e.granted_at, e.updated_at, e.ends_at,
      e.paid_until, e.collection_paused, p.used, p.period_start, ${shownEnd} as period_end
    from entitlements e join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} ${older}
    order by e.granted_at desc, e.id desc limit ${limit}`.execute(db);
  return rows;
}

export const showEntitlement = ({
  id,
  granted_at,
  updated_at,
  ends_at,
  paid_until,
  period_start,
  period_end,
  ...row
}: Row): Static<typeof Entitlement> => ({
  ...row,
  id: showId('ent', id),
  remaining: Math.max(row.quota - row.used, 0),
  period: { start: period_start.toISOString(), end: period_end.toISOString() },
  ends_at: ends_at?.toISOString() ?? null,
  paid_until: paid_until?.toISOString() ?? null,
  granted_at: granted_at.toISOString(),
  updated_at: updated_at.toISOString(),
});
