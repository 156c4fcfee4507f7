import { sql } from 'kysely';
import { showId } from '../lib/id.ts';

export type AdjustmentRow = {
  id: string;
  entitlement_id: string;
  plan_code: string;
  period_start: Date;
  period_end: Date;
  quantity: number;
  unit: string;
  reason: string;
  created_by: string;
  creator_name: string;
  created_at: Date;
};

/** Of an account, newest first. */
export const adjustmentsOf = (accountId: string, atMost: number) => sql<AdjustmentRow>`
  select a.*, u.name as creator_name from quota_adjustments a join people u on u.id = a.created_by
  where a.account_id = ${accountId}
  order by a.created_at desc, a.id desc limit ${atMost}`;

export const showAdjustment = ({
  id,
  entitlement_id,
  plan_code,
  period_start,
  period_end,
  quantity,
  unit,
  reason,
  created_by,
  creator_name,
  created_at,
}: AdjustmentRow) => ({
  id: showId('adj', id),
  entitlement_id: showId('ent', entitlement_id),
  plan_code,
  period: { start: period_start.toISOString(), end: period_end.toISOString() },
  quantity,
  unit,
  reason,
  created_by: { kind: 'user' as const, id: showId('user', created_by), name: creator_name },
  created_at: created_at.toISOString(),
});

/**
 * What can be given back: what the period was charged, without the jobs that have not ended, since those may
 * still return their charge. For statements with `entitlement_periods p`.
 */
export const givableBack = (accountId: string) => sql<number>`p.used - (
  select count(*)::int from jobs j
  join usage_ledger l on l.account_id = ${accountId} and l.job_id = j.id and l.quantity = 1
  where j.account_id = ${accountId} and j.status not in ('completed', 'rejected', 'canceled')
    and l.entitlement_id = p.entitlement_id and l.period_start = p.period_start)`;

/** What can be charged. For statements with `entitlements e` too. */
export const chargeable = sql<number>`greatest(e.quota - p.used, 0)`;
