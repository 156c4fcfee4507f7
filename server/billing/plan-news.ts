import { planState } from '../mail/plan-notice.ts';
import type { SubscriptionRow } from './subscription-row.ts';

export type ToldPlan = Pick<
  SubscriptionRow,
  | 'status'
  | 'status_detail'
  | 'serves_until'
  | 'ends_at'
  | 'paid_until'
  | 'collection_paused'
  | 'period_start'
  | 'period_end'
>;

type Kind = 'nothing' | 'active' | 'past_due' | 'not_paid' | 'paused' | 'stopped' | 'canceled';

/** A plan that never granted anything counts as none. */
function kindOf(plan: ToldPlan | null): Kind {
  if (!plan?.period_start) return 'nothing';
  return plan.status === 'past_due' && plan.status_detail === 'not_paid' ? 'not_paid' : plan.status;
}

/** The `state` of the notification that managers get about a change; null for none. */
export function newsOf(before: ToldPlan | null, after: ToldPlan, now: Date): string | null {
  const [was, is] = [kindOf(before), kindOf(after)];
  if (was !== is) return newsOfKind(was, is, after, now);
  if (is === 'nothing' || is === 'canceled' || before === null) return null;
  if (before.ends_at?.getTime() !== after.ends_at?.getTime())
    return after.ends_at === null ? planState('kept', null) : planState('ends', after.ends_at);
  if (before.collection_paused === after.collection_paused) return null;
  return after.collection_paused ? planState('collection_paused', ordersUntil(after, now)) : planState('resumed', null);
}

function newsOfKind(was: Kind, is: Kind, after: ToldPlan, now: Date): string | null {
  if (is === 'nothing' || (is === 'canceled' && was === 'nothing')) return null;
  if (is === 'active') return planState(was === 'nothing' || was === 'canceled' ? 'active' : 'resumed', null);
  if (is === 'canceled') return planState(is, after.ends_at);
  if (is === 'stopped' && after.collection_paused) return planState('uncollected', null);
  if (is === 'past_due' && was === 'not_paid') return null;
  return planState(is, is === 'past_due' || is === 'not_paid' ? ordersUntil(after, now) : null);
}

/** Until when the account can order; null if it cannot and nothing was paid before. */
function ordersUntil({ period_end, serves_until, ends_at, paid_until }: ToldPlan, now: Date): Date | null {
  const ends = [period_end, serves_until, ends_at].filter((time) => time instanceof Date);
  const last = new Date(Math.min(...ends.map((time) => time.getTime())));
  return last > now ? last : paid_until;
}
