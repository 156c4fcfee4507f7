import type { Period } from './anchored-month.ts';
import { objectOf, type ObjectOf, type Payload } from './payload.ts';

/** The order in which events happened: by second, then by what they say, and never by their arrival. */
export type Order = {
  createdAt: Date;
  rank: number;
  weight: number;
  /** Where its period begins, in milliseconds; 0 if it names none. */
  start: number;
  id: string;
};

export type State = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'ended';

/** Within one second the worse state counts as the newer one. */
const states: readonly State[] = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'ended'];

/** Event types that tell of a subscription, with their rank within one second. */
export const ranks: ReadonlyMap<string, number> = new Map([
  ['customer.subscription.created', 0],
  ['customer.subscription.updated', 1],
  ['customer.subscription.paused', 1],
  ['customer.subscription.resumed', 1],
  ['customer.subscription.deleted', 2],
]);
const invoiceRank = 3;

export function isOlder(first: Order, second: Order): boolean {
  const seconds = first.createdAt.getTime() - second.createdAt.getTime();
  const difference = seconds || first.rank - second.rank || first.weight - second.weight || first.start - second.start;
  return difference === 0 ? first.id < second.id : difference < 0;
}

type Common = {
  order: Order;
  livemode: boolean;
  customer: string | null;
  subscription: string | null;
  /** As the metadata has it; null if it has none. */
  accountId: string | null;
  planCode: string | null;
};

export type Price = {
  id: string | null;
  product: string | null;
  amount: number | null;
  /** That of the price, and that of the subscription. */
  currencies: string[];
  interval: string | null;
  /** Units that are paid; null where the price counts units otherwise. */
  quantity: number | null;
};

/** In our own terms. Null means absent or empty at the provider. */
export type SubscriptionEvent = Common & {
  kind: 'subscription';
  state: State;
  prices: Price[];
  hasMorePrices: boolean;
  period: Period | null;
  invoice: string | null;
  /** When it will end; undefined where the event does not say. */
  endsAt: Date | null | undefined;
  endedAt: Date | null;
  isCollectionPaused: boolean | undefined;
};

export type InvoiceEvent = Common & {
  kind: 'invoice';
  invoice: string;
  outcome: 'paid' | 'failed' | 'void';
  /** Its lines for a period ahead: without those that settle a change or were added. */
  lines: { period: Period; price: string | null }[];
};

const outcomes: Record<string, InvoiceEvent['outcome']> = {
  'invoice.paid': 'paid',
  'invoice.payment_failed': 'failed',
  'invoice.voided': 'void',
  'invoice.marked_uncollectible': 'void',
};

const at = (seconds: number) => new Date(seconds * 1000);
const periodOf = (start: number | null | undefined, end: number | null | undefined): Period | null =>
  typeof start === 'number' && typeof end === 'number' ? { start: at(start), end: at(end) } : null;

type Subscription = ObjectOf<'subscription'>;
type Item = NonNullable<NonNullable<Subscription['items']>['data']>[number];

/** A missing status counts as active. What is unknown gives nothing, and may still exist: it has stopped. */
function stateOf(type: string, { status }: Subscription): State {
  if (type === 'customer.subscription.deleted') return 'ended';
  if (type === 'customer.subscription.paused') return 'paused';
  if (status === 'canceled' || status === 'incomplete_expired') return 'ended';
  return states.find((state) => state !== 'ended' && state === (status ?? 'active')) ?? 'unpaid';
}

/** Both forms of the provider: with the period, and at a time. */
function endOf({ cancel_at: time, cancel_at_period_end: withPeriod }: Subscription, period: Period | null) {
  if (time === undefined && withPeriod === undefined) return undefined;
  if (typeof time === 'number') return at(time);
  return withPeriod ? (period?.end ?? undefined) : null;
}

/** A single interval charged in advance is shown by its name, anything else by words that match no plan. */
function intervalOf(recurring: NonNullable<Item['price']>['recurring']): string | null {
  if (!recurring?.interval) return null;
  const { interval, interval_count: count, usage_type: usage } = recurring;
  const name = (count ?? 1) === 1 ? interval : `${count} ${interval}s`;
  return (usage ?? 'licensed') === 'licensed' ? name : `${name}, ${usage}`;
}

const priceOf = ({ price, quantity }: Item, { currency }: Subscription): Price => ({
  id: price?.id || null,
  product: price?.product || null,
  amount: price?.unit_amount ?? null,
  currencies: [price?.currency, currency].flatMap((code) => code || []),
  interval: intervalOf(price?.recurring),
  quantity: price?.transform_quantity ? null : (quantity ?? 1),
});

export function subscriptionEvent(payload: Payload, createdAt: Date): SubscriptionEvent | null {
  const object = objectOf(payload, 'subscription');
  const rank = ranks.get(payload.type);
  if (!object || rank === undefined) return null;
  const items = object.items?.data ?? [];
  const own = periodOf(object.current_period_start, object.current_period_end);
  const period = own ?? periodOf(items[0]?.current_period_start, items[0]?.current_period_end);
  const state = stateOf(payload.type, object);
  return {
    kind: 'subscription',
    order: { createdAt, rank, weight: states.indexOf(state), start: period?.start.getTime() ?? 0, id: payload.id },
    livemode: payload.livemode,
    subscription: object.subscription || object.id || null,
    customer: object.customer || null,
    planCode: object.metadata?.service_entitlement_code || null,
    accountId: object.metadata?.service_account_id || null,
    state,
    prices: items.map((item) => priceOf(item, object)),
    hasMorePrices: object.items?.has_more ?? false,
    period,
    invoice: object.latest_invoice || null,
    endsAt: endOf(object, period),
    endedAt: typeof object.ended_at === 'number' ? at(object.ended_at) : null,
    isCollectionPaused: object.pause_collection === undefined ? undefined : object.pause_collection !== null,
  };
}

export function invoiceEvent(payload: Payload, createdAt: Date): InvoiceEvent | null {
  const object = objectOf(payload, 'invoice');
  const outcome = outcomes[payload.type];
  if (!object || outcome === undefined) return null;
  const details = object.parent?.subscription_details;
  const metadata = details?.metadata ?? object.subscription_details?.metadata;
  return {
    kind: 'invoice',
    order: { createdAt, rank: invoiceRank, weight: outcome === 'paid' ? 1 : 0, start: 0, id: payload.id },
    livemode: payload.livemode,
    subscription: object.subscription || details?.subscription || null,
    customer: object.customer || null,
    planCode: metadata?.service_entitlement_code || null,
    accountId: metadata?.service_account_id || null,
    invoice: object.id ?? '',
    outcome,
    lines: (object.lines?.data ?? []).flatMap((line) => {
      const { subscription_item_details: item, invoice_item_details: added } = line.parent ?? {};
      const settles = line.proration ?? item?.proration ?? false;
      const isAdded = Boolean(added) || line.type === 'invoiceitem';
      const period = periodOf(line.period?.start, line.period?.end);
      return settles || isAdded || !period
        ? []
        : [{ period, price: line.price?.id || line.pricing?.price_details?.price || null }];
    }),
  };
}
