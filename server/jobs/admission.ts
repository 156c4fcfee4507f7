import { type RawBuilder, sql } from 'kysely';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Db } from '../db/pool.ts';
import { type PlanNeed, planRequired, quotaExceeded } from '../entitlements/entitlement.ts';
import { badBody, Refusal } from '../http/refusal.ts';

export type RefusalReason = Extract<
  ErrorCode,
  'entitlement_required' | 'quota_exceeded' | 'concurrency_limit_exceeded'
>;

/** Quota counts the plans that serve the caller, slots count all usable plans. */
export type AccountLimits = {
  active_jobs: number;
  concurrency_limit: number;
  slots_left: number;
  used: number;
  quota: number;
  quota_left: number;
  unit: string;
};

/**
 * The admission rule: every reason to refuse a draft, the decisive one first; none means admitted. `l` is the
 * account's row of `account_limits`. `position` (1, 2, …) counts the account's drafts in one statement:
 * earlier ones were admitted as far as quota and slots allowed.
 */
export function refusalReasons(position: RawBuilder<number>): RawBuilder<RefusalReason[]> {
  const admittedBefore = sql`least(${position} - 1, l.quota_left, l.slots_left)`;
  return sql`case
      when not l.entitled then array['entitlement_required']
      else array_remove(array[
        case when l.quota_left <= ${admittedBefore} then 'quota_exceeded' end,
        case when l.slots_left <= ${admittedBefore} then 'concurrency_limit_exceeded' end], null)
    end`;
}

export async function refusalFor(
  db: Db,
  accountId: string,
  graceHours: number,
  reason: RefusalReason | 'wish_too_early',
  need: PlanNeed,
): Promise<Refusal> {
  if (reason === 'wish_too_early') return wishTooEarly();
  if (reason === 'entitlement_required') return planRequired(db, accountId, graceHours, need);
  return reason === 'quota_exceeded' ? quotaExceeded(db, accountId, graceHours, need) : new Refusal(reason);
}

export const wishTooEarly = () => badBody([{ location: '/wanted_by', message: 'must be in the future' }]);

export type Decision =
  | { outcome: 'admitted' }
  | { outcome: 'replayed'; answer: unknown }
  | { outcome: 'idempotency_key_conflict' }
  | { outcome: RefusalReason | 'wish_too_early' };

/** `outraced`: by a job it could not see yet, so try again. `locked`: by another transaction. */
export type Attempt = Decision | { outcome: 'outraced' } | { outcome: 'locked' };
