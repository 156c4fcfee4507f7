import { type RawBuilder, sql } from 'kysely';
import type { ErrorCode } from '../../contract/errors.ts';
import type { Db } from '../db/pool.ts';
import { planRequired } from '../entitlements/entitlement.ts';
import type { CallerKind } from '../http/caller.ts';
import { Refusal } from '../http/refusal.ts';

/** Why an account cannot have one more job, in the order in which it is told. */
export type RefusalReason = Extract<
  ErrorCode,
  'entitlement_required' | 'quota_exceeded' | 'concurrency_limit_exceeded'
>;

/** What an account may use now; quota is summed over the plans that serve the caller, slots over all usable plans. */
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
 * The rule: every reason why a draft is refused, the first one first; none means that it is admitted. `l` is the row of
 * `account_limits` of its account. `position` (1, 2, …) counts the account's drafts of one statement: of those before
 * it, as many were admitted as quota and slots had room for.
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

/** The reason in words for the caller. */
export async function refusalFor(
  db: Db,
  accountId: string,
  graceHours: number,
  reason: RefusalReason,
  kind: CallerKind,
): Promise<Refusal> {
  return reason === 'entitlement_required' ? planRequired(db, accountId, graceHours, kind) : new Refusal(reason);
}

/** What became of a draft. */
export type Decision =
  | { outcome: 'admitted' }
  | { outcome: 'replayed'; answer: unknown }
  | { outcome: 'idempotency_key_conflict' }
  | { outcome: RefusalReason };

/** What one statement says: `outraced` by one that it could not see yet, and to be tried again, or `locked` elsewhere. */
export type Attempt = Decision | { outcome: 'outraced' } | { outcome: 'locked' };
