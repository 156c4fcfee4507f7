import type { ignoredReasons } from '../../contract/provider-events.ts';
import type { EntitlementStatus } from '../../contract/entitlements.ts';
import type { Catalog, Plan } from '../catalog/catalog.ts';
import { readId } from '../lib/id.ts';
import { anchoredMonth, type Period } from './anchored-month.ts';
import type { SubscriptionEvent } from './provider-event.ts';

/** Why an event grants nothing. Stored with the event for the operator. */
export type Reason = (typeof ignoredReasons)[number] | `${string}: not of the form that the provider documents`;

/** The order of events of a subscription: by second, then type, then receipt. */
export type Order = { createdAt: Date; rank: number; receipt: number };

/** A subscription after the events applied so far. */
export type Subscription = {
  accountId: string;
  code: string;
  status: Exclude<EntitlementStatus, 'expired'>;
  newest: Order;
  /** The newest granting event and what it granted; null if none did. Months are counted from `anchor`. */
  grant: { order: Order; period: Period; anchor: Date } | null;
};

/** Without a reason the event is processed. `next: null` leaves the subscription unchanged. */
export type Verdict = { reason: Reason | null; next: Subscription | null };

export type KnownState = {
  accountId: string | null;
  subscription: Subscription | null;
  livemode: boolean;
  plans: Catalog['plans'];
  receipt: number;
};

type Effect = 'grants' | 'keeps' | 'pauses' | 'revokes';

/** A missing status counts as active, past due keeps what was paid for, and an unknown status revokes. */
function effectOf({ type, status }: SubscriptionEvent): Effect {
  if (type === 'customer.subscription.deleted') return 'revokes';
  if (type === 'customer.subscription.paused' || status === 'paused') return 'pauses';
  if (status === null || status === 'active' || status === 'trialing') return 'grants';
  return status === 'past_due' ? 'keeps' : 'revokes';
}

const statusAfter = { grants: 'active', keeps: 'past_due', pauses: 'paused', revokes: 'canceled' } as const;

function isOlder(first: Order, other: Order): boolean {
  if (first.createdAt.getTime() !== other.createdAt.getTime()) return first.createdAt < other.createdAt;
  return first.rank !== other.rank ? first.rank < other.rank : first.receipt < other.receipt;
}

/**
 * The plan of the event, if the provider charges exactly what `plans.yaml` says. The metadata names the plan.
 * But the provider's portal changes the price and leaves the metadata, so for a subscription already granted
 * under that metadata the price names the plan.
 */
function planOf({ planCode, price }: SubscriptionEvent, { plans, subscription }: KnownState): Plan | Reason {
  const named = planCode === null ? undefined : plans.get(planCode);
  if (planCode === null) return 'missing metadata';
  if (!named) return 'unknown plan code';
  const priced = [...plans.values()].find((other) => other.price.id === price?.id);
  if (!price || !priced) return 'unknown price';
  if (priced !== named && !subscription?.grant) return 'price of another plan';
  const plan = priced;
  if (price.product !== plan.price.product) return 'unknown product';
  if (price.amount !== plan.price.unit_amount) return 'wrong amount';
  return price.currency === null || price.currency === plan.price.currency ? plan : 'wrong currency';
}

/** The owner of the event: the account of its customer, which must match the metadata. */
function ownerOf(event: SubscriptionEvent, state: KnownState, mayBeUnnamed: boolean): { accountId: string } | Reason {
  const { accountId } = state;
  if (event.accountId === null && !mayBeUnnamed) return 'missing metadata';
  if (accountId === null) return 'unbound customer';
  if (event.accountId !== null && readId('acct', event.accountId) !== accountId) return 'customer of another account';
  return state.subscription && state.subscription.accountId !== accountId
    ? 'subscription of another account'
    : { accountId };
}

export type Grant = NonNullable<Subscription['grant']>;

/** The provider's period, else the current one, else a month counted from the last period or grant. */
function grantOf(event: SubscriptionEvent, order: Order, before: Grant | null): Grant {
  const anchor = event.period?.start ?? before?.anchor ?? event.createdAt;
  const isCurrent = before && before.period.start <= event.createdAt && event.createdAt < before.period.end;
  return {
    order,
    anchor,
    period: event.period ?? (isCurrent ? before.period : anchoredMonth(anchor, event.createdAt)),
  };
}

const ignored = (reason: Reason): Verdict => ({ reason, next: null });

/**
 * What an event changes, or why it changes nothing.
 * The newest event decides the status; the newest granting event decides what was paid for. So a late grant
 * is not lost: it says what a newer event keeps (past due, paused) or ended (canceled, and ignored). Every
 * order of arrival ends in the same entitlement. Any other older event changes nothing.
 */
export function judgeEvent(event: SubscriptionEvent, state: KnownState): Verdict {
  const before = state.subscription;
  const effect = effectOf(event);
  // Taking away needs neither price nor plan: a plan that is no longer sold must still end.
  const takesAway = before !== null && effect !== 'grants';

  if (event.livemode !== state.livemode) return ignored('wrong livemode');
  if (event.subscription === null) return ignored('missing subscription');
  const plan = planOf(event, state);
  if (typeof plan === 'string' && !takesAway) return ignored(plan);
  const owner = ownerOf(event, state, takesAway);
  if (typeof owner === 'string') return ignored(owner);
  if (event.period && event.period.start >= event.period.end && !takesAway) return ignored('unusable period');

  const order: Order = { createdAt: event.createdAt, rank: event.rank, receipt: state.receipt };
  const paid = before?.grant ?? null;
  const grants = effect === 'grants' && !(paid && isOlder(order, paid.order));
  const late = before !== null && isOlder(order, before.newest);
  if (late && !grants) return ignored('older than what is already applied');
  const grant = grants ? grantOf(event, order, paid) : paid;
  const code = typeof plan === 'string' || (paid && !grants) ? before?.code : plan.code;
  if (code === undefined) throw new Error('A subscription without a plan passed the checks.');
  return late
    ? {
        reason: before.status === 'canceled' ? 'older than what is already applied' : null,
        next: { ...before, code, grant },
      }
    : { reason: null, next: { ...owner, code, status: statusAfter[effect], newest: order, grant } };
}
