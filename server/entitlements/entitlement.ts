import type { Static } from 'typebox';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Entitlement } from '../../contract/entitlements.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import type { EntitlementPeriods, Entitlements } from '../tables.ts';

/**
 * Whether an entitlement gives access now, by the clock of the database. For statements that name `entitlements e` and
 * `entitlement_periods p`. What is left of a period stays usable for some hours while its renewal event is on the way;
 * a subscription that is past due gets no such hours.
 */
export const usable = (graceHours: number): RawBuilder<boolean> => sql<boolean>`(
  (e.status = 'active' and now() < p.period_end + make_interval(hours => ${graceHours}::int))
  or (e.status = 'past_due' and now() < p.period_end))`;

/** `expired` is never stored: it is an entitlement whose time ran out without an event that says so. */
const shownStatus = (graceHours: number) => sql<Static<typeof Entitlement>['status']>`
  case when e.status = 'canceled' or ${usable(graceHours)} then e.status else 'expired' end`;

export async function hasUsablePlan(db: Db, accountId: string, graceHours: number): Promise<boolean> {
  return (await usablePlans(db, accountId, graceHours)).length > 0;
}

/** Which kind of plan is missing: for sessions, for API keys, or any. */
export const planRequired = (kind: 'human' | 'agent' | null): Refusal => {
  const served = kind === null ? '' : kind === 'human' ? ' that serves sessions' : ' that serves API keys';
  return new Refusal('entitlement_required', {
    message: `The account has no active plan${served}.`,
    action: `Have an owner or admin start a plan${served}; see access_kind in GET /api/v1/plans.`,
  });
};

type UsablePlan = { code: string; access_kind: Static<typeof Entitlement>['access_kind'] };

/** The plans that give the account access now, by code; one that is held twice stands here once. */
export async function usablePlans(db: Db, accountId: string, graceHours: number): Promise<UsablePlan[]> {
  const { rows } = await sql<UsablePlan>`
    select distinct e.code, e.access_kind
    from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    where e.account_id = ${accountId} and ${usable(graceHours)}
    order by e.code`.execute(db);
  return rows;
}

type Row = Pick<
  Selectable<Entitlements>,
  'id' | 'code' | 'name' | 'unit' | 'quota' | 'concurrency_limit' | 'granted_at' | 'updated_at'
> &
  Pick<Selectable<EntitlementPeriods>, 'used' | 'period_start' | 'period_end'> &
  Pick<Static<typeof Entitlement>, 'access_kind' | 'status'>;

/** All that the account was ever granted, newest first. A subscription that never granted anything has no period. */
export async function entitlementsOf(
  db: Db,
  accountId: string,
  graceHours: number,
): Promise<Static<typeof Entitlement>[]> {
  const { rows } = await sql<Row>`
    select e.id, e.code, e.name, e.access_kind, ${shownStatus(graceHours)} as status, e.unit, e.quota,
      e.concurrency_limit, e.granted_at, e.updated_at, p.used, p.period_start, p.period_end
    from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    where e.account_id = ${accountId}
    order by e.granted_at desc, e.id desc`.execute(db);
  return rows.map(({ id, granted_at, updated_at, period_start, period_end, ...row }) => ({
    ...row,
    id: showId('ent', id),
    remaining: Math.max(row.quota - row.used, 0),
    period: { start: period_start.toISOString(), end: period_end.toISOString() },
    granted_at: granted_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }));
}
