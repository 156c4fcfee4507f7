import { anchoredMonth, type Period } from './anchored-month.ts';
import { failPeriods, type Invoices, type NamedPeriod, namePeriod } from './periods.ts';
import { type InvoiceEvent, isOlder, type Order, type State, type SubscriptionEvent } from './provider-event.ts';
import type { Reason } from './verify-terms.ts';

/** A subscription event with the plan whose price it names, or why it names none. */
export type PricedEvent = SubscriptionEvent & { plan: string | { fault: Reason } };

/** How a row of the previous version counts: its period as paid, or the subscription as ended. */
export type CarriedOver = { kind: 'carried over'; order: Order; code: string; period: Period | null };

export type FoldedEvent = PricedEvent | InvoiceEvent | CarriedOver;

/** What the signed events of a subscription say, in the order in which they happened. */
export type Facts = {
  state: State | null;
  /** When it came into this state. */
  since: Date | null;
  /** The newest event about the subscription, and the newest that granted access. */
  newest: Order | null;
  granted: Order | null;
  /** The plan that the price named last. */
  code: string | null;
  /** Months are counted from it where events name no period. */
  anchor: Date | null;
  periods: NamedPeriod[];
  endsAt: Date | null;
  isCollectionPaused: boolean;
  invoices: Invoices;
};

const noFacts: Facts = {
  state: null,
  since: null,
  newest: null,
  granted: null,
  code: null,
  anchor: null,
  periods: [],
  endsAt: null,
  isCollectionPaused: false,
  invoices: new Map(),
};

type Folded = { facts: Facts; reasons: Map<string, Reason> };

/**
 * Every order of arrival ends in the same facts, because the events are sorted first. `anchor`: where months
 * began for the first event that arrived, if none names a period.
 */
export function foldEvents(events: readonly FoldedEvent[], anchor: Date | null = null): Folded {
  const reasons = new Map<string, Reason>();
  const sorted = events.toSorted(({ order: first }, { order: second }) => (isOlder(first, second) ? -1 : 1));
  const facts = sorted.reduce(
    (before, event) => {
      if (event.kind === 'invoice') return afterInvoice(before, event);
      if (event.kind === 'carried over') return afterCarry(before, event);
      const fault = faultOf(before, event);
      if (fault !== null) reasons.set(event.order.id, fault);
      return afterEvent(before, event, fault);
    },
    { ...noFacts, anchor },
  );
  return { facts, reasons };
}

const grants = ({ state }: SubscriptionEvent) => state === 'active' || state === 'trialing';

/** Taking away needs neither price nor plan: a plan that is no longer sold must still end. */
function faultOf(before: Facts, event: PricedEvent): Reason | null {
  if (before.granted !== null && !grants(event)) return null;
  if (typeof event.plan !== 'string') return event.plan.fault;
  // The provider's portal changes the price and leaves the metadata, but a subscription begins with its own.
  if (before.granted === null && event.plan !== event.planCode) return 'price of another plan';
  return event.period && event.period.start >= event.period.end && grants(event) ? 'unusable period' : null;
}

/** An end and a pause only take away, so they count whatever the price is. */
function afterEvent(before: Facts, event: PricedEvent, fault: Reason | null): Facts {
  const { order, state, endedAt, endsAt = before.endsAt } = event;
  const { isCollectionPaused = before.isCollectionPaused } = event;
  const ending = { ...before, endsAt, isCollectionPaused };
  const code = typeof event.plan === 'string' ? event.plan : null;
  if (grants(event)) return fault === null && code !== null ? afterGrant(ending, event, code) : ending;
  const failed = { at: order.createdAt, invoice: event.invoice, period: event.period };
  return {
    ...ending,
    ...inState(before, state, order),
    code: before.code ?? code,
    periods: state === 'past_due' || state === 'unpaid' ? failPeriods(before.periods, failed) : before.periods,
    endsAt: state === 'ended' ? (endedAt ?? order.createdAt) : endsAt,
  };
}

const inState = (before: Facts, state: State, order: Order) => ({
  state,
  since: state === before.state ? before.since : order.createdAt,
  newest: order,
});

function afterGrant(before: Facts, event: PricedEvent, code: string): Facts {
  const { order, state, invoice } = event;
  const anchor = event.period?.start ?? before.anchor ?? order.createdAt;
  return {
    ...before,
    ...inState(before, state, order),
    granted: order,
    endsAt: before.state === 'ended' ? (event.endsAt ?? null) : before.endsAt,
    code,
    anchor,
    periods: namePeriod(before.periods, event.period ?? currentPeriod(before, order.createdAt, anchor), {
      basis: state === 'trialing' ? 'trial' : 'promise',
      code,
      invoice,
      isUncollected: before.isCollectionPaused,
    }),
  };
}

/** The last period while it lasts, else the month since the anchor. */
function currentPeriod({ periods }: Facts, at: Date, anchor: Date): Period {
  const last = periods.at(-1);
  return last && last.start <= at && at < last.end ? last : anchoredMonth(anchor, at);
}

/** A paid invoice stays paid; one that failed may be paid or given up later. */
function afterInvoice(before: Facts, { invoice, outcome, lines, order }: InvoiceEvent): Facts {
  const at = order.createdAt;
  const isPaid = before.invoices.get(invoice)?.outcome === 'paid';
  const invoices = isPaid ? before.invoices : new Map(before.invoices).set(invoice, { outcome, lines, at });
  const [line] = lines;
  const failure = { at, invoice, period: line?.period ?? null };
  const periods = outcome === 'failed' && !isPaid && line ? failPeriods(before.periods, failure) : before.periods;
  return { ...before, invoices, periods };
}

function afterCarry(before: Facts, { order, code, period }: CarriedOver): Facts {
  if (period === null) return { ...before, state: 'ended', since: order.createdAt, endsAt: order.createdAt };
  const name = { basis: 'carried over', code: before.code ?? code, invoice: null, isUncollected: false } as const;
  return {
    ...before,
    state: before.state ?? 'active',
    since: before.since ?? order.createdAt,
    granted: before.granted ?? order,
    code: before.code ?? code,
    anchor: before.anchor ?? period.start,
    periods: namePeriod(before.periods, period, name),
  };
}
