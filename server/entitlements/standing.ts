import { type RawBuilder, sql } from 'kysely';
import type { Standing } from '../../contract/desk/standing.ts';
import type { StandingState } from '../../contract/desk/standing-states.ts';
import { isoTime, type Time } from '../db/time.ts';
import { statusDetail, usable } from './entitlement.ts';

export type StandingRow = { state: StandingState; since: Time | null; access_until: Time | null };

/**
 * The one thing that matters about an account; null if all is well or it never had a plan. For `accounts a`;
 * a statement about one account passes its id.
 */
export const standingOf = (graceHours: number, account: RawBuilder<unknown> = sql`a.id`) => sql<StandingRow | null>`
  case when a.suspended_since is not null
    then json_build_object('state', 'suspended', 'since', a.suspended_since, 'access_until', null)
  else (select case when plan.state <> 'well' then ${planStanding} end
    from (${foremostPlan(graceHours, account)}) plan) end`;

/** For a `plan` of `foremostPlan`. */
export const planStanding = sql`json_build_object('state', plan.state, 'since', plan.since, 'access_until', plan.until)`;

/** The plan of an account that matters most, with its code and name. */
export const foremostPlan = (graceHours: number, account: RawBuilder<unknown>) => sql`
  select plan.* from (
    select e.id, e.code, e.name, ${stateOf} as state, ${sinceOf} as since, ${untilOf} as until from (
      select ${facts(graceHours)}
      from entitlements e left join entitlement_periods p on p.account_id = ${account} and p.entitlement_id = e.id
      where e.account_id = ${account} offset 0) e) plan
  where plan.state is not null
  order by array_position(${order}, plan.state), coalesce(plan.until, plan.since) desc nulls last, plan.id desc
  limit 1`;

/** A plan that gives access and has no end makes up for those that have ended. */
const order = sql`array['overdue', 'not_paid', 'stopped', 'collection_paused', 'paused', 'ends', 'well', 'ended']`;

/** `is_usable` is computed once per subscription: the statement stays small for the planner. */
const facts = (
  graceHours: number,
) => sql`e.id, e.account_id, e.code, e.name, e.status, e.state, e.collection_paused, e.serves_until,
  e.ends_at, p.period_end, coalesce(e.state_since, e.event_created_at) as since, ${usable(graceHours)} as is_usable`;

/** Overdue at the provider, or active there with an invoice that was voided. Null if it never gave access. */
const stateOf = sql`case
  when e.ends_at <= now() then case when e.period_end is not null then 'ended' end
  when e.status = 'past_due' then coalesce(${statusDetail}, 'overdue')
  when e.status in ('stopped', 'paused') then e.status
  when e.status = 'active' and e.collection_paused then 'collection_paused'
  when e.is_usable then case when e.ends_at is null then 'well' else 'ends' end
  when e.period_end is not null then 'ended' end`;

/** The provider does not say since when payments are paused. An end has not begun. */
const sinceOf = sql`case
  when e.ends_at <= now() then e.ends_at
  when e.status = 'active' and (e.collection_paused or e.is_usable) then null
  when e.status = 'active' then least(e.serves_until, e.ends_at, e.period_end)
  when e.status = 'canceled' then coalesce(e.ends_at, e.since)
  else e.since end`;

/** A plan with an end may be renewed until then. */
const untilOf = sql`case when e.is_usable then least(e.serves_until, e.ends_at,
  case when e.ends_at is null or e.status = 'past_due' then e.period_end end) end`;

/** The accounts of this standing, found by the facts that few accounts have. */
export function accountsOf(state: StandingState, graceHours: number): RawBuilder<unknown> {
  if (state === 'suspended') return sql`(select a.id from accounts a where a.suspended_since is not null)`;
  if (state === 'ended') return ended(graceHours);
  const some =
    state === 'ends'
      ? sql`status in ('active', 'past_due') and ends_at is not null`
      : sql`(status in ('past_due', 'paused', 'stopped') or collection_paused)`;
  return sql`(select a.id from accounts a where a.id in (select account_id from entitlements where ${some})
    and (${standingOf(graceHours)})->>'state' = ${state})`;
}

/** Many have an earlier plan, so all are counted at once. */
const ended = (graceHours: number) => sql`(select a.id from accounts a where a.suspended_since is null and a.id in (
  select e.account_id from (
    select ${facts(graceHours)}
    from entitlements e left join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id) e
  group by e.account_id having every(coalesce(${stateOf}, 'ended') = 'ended') and count(e.period_end) > 0))`;

export function showStanding(row: StandingRow): Standing;
export function showStanding(row: StandingRow | null): Standing | null;
export function showStanding(row: StandingRow | null): Standing | null {
  return row && { state: row.state, since: isoTime(row.since), access_until: isoTime(row.access_until) };
}
