import type { EntitlementStatus } from '../../contract/plans/entitlements.ts';
import type { Facts } from './facts.ts';
import type { State } from './provider-event.ts';
import { type JudgedPeriod, judgePeriod } from './periods.ts';

/** What a subscription gives, as admission reads it. */
export type Projection = {
  status: Exclude<EntitlementStatus, 'expired'>;
  /** As the provider last said; overdue as soon as the invoice says that its payment failed. */
  state: State;
  since: Date | null;
  /** The plan of the period. */
  code: string | null;
  /** The period that is served, or the newest one if none is; null if nothing was ever granted. */
  period: JudgedPeriod | null;
  /** When orders end with the period or before it; null if the hours of grace follow. */
  servesUntil: Date | null;
  paidUntil: Date | null;
};

/** The last state of a status is the usual one. */
const statuses = {
  incomplete: 'canceled',
  trialing: 'active',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'stopped',
  paused: 'paused',
  ended: 'canceled',
} as const;

export const usualState = (status: Projection['status']): string | undefined =>
  Object.keys(statuses).findLast((state) => statuses[state as State] === status);

/** `servesUncollected`: periods count although the studio has paused their payment. */
export function projectFacts(facts: Facts, servesUncollected: boolean): Projection | null {
  const { state, since, isCollectionPaused } = facts;
  if (state === null) return null;
  const periods = facts.periods.map((period) => judgePeriod(period, facts.invoices, servesUncollected));
  const newest = periods.at(-1) ?? null;
  const served = periods.findLast(({ withdrawnAt }) => withdrawnAt === null) ?? null;
  const period = served ?? newest;
  const isUnpaid = statuses[state] === 'active' && newest !== null && newest.withdrawnAt !== null;
  return {
    status: isUnpaid ? (isCollectionPaused ? 'stopped' : 'past_due') : statuses[state],
    state: isUnpaid && newest.isFailed ? 'past_due' : state,
    since: isUnpaid ? newest.withdrawnAt : since,
    code: period?.code ?? facts.code,
    period,
    servesUntil: servesUntil(period, state === 'trialing' || (isCollectionPaused && !servesUncollected)),
    paidUntil: periods.findLast(({ isPaid }) => isPaid)?.end ?? null,
  };
}

function servesUntil(period: JudgedPeriod | null, endsWithPeriod: boolean): Date | null {
  if (period === null) return null;
  if (period.withdrawnAt !== null) return period.start;
  return endsWithPeriod ? period.end : null;
}
