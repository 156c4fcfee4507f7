import type { Plan } from '../../server/catalog/catalog.ts';
import {
  chargeObject,
  disputeObject,
  eventOf,
  type Invoice,
  invoiceObject,
  type Item,
  type Line,
  type Period,
  type Session,
  type Shape,
  type StripeEvent,
  type Subscription,
  subscriptionObject,
} from './stripe-events.ts';

export const [hour, day] = [3600, 86_400];
const month = 30 * day;

/** An event in the order of its arrival. */
export type Step = { at: number; event: StripeEvent };
/** A time at which something can be seen; the first `events` of the steps have arrived by then. */
export type Moment = { name: string; at: number; events: number };
type Fields = Subscription['fields'];

/** Records what Stripe would send about one customer while time passes. */
export class RecordedStripe {
  readonly steps: Step[] = [];
  readonly moments: Moment[] = [];
  readonly shape: Shape;
  readonly session: Session;
  readonly #plans: readonly Plan[];
  #now: number;
  #subscriptions = 0;
  #invoices = 0;

  constructor(session: Session, plans: readonly Plan[], { start, shape }: { start: number; shape: Shape }) {
    this.session = session;
    this.shape = shape;
    this.#plans = plans;
    this.#now = start;
  }

  get now(): number {
    return this.#now;
  }

  /** What the checkout was for. */
  get plan(): Plan {
    const plan = this.#plans.find(({ price }) => price.id === this.session.price.id);
    if (!plan) throw new Error(`There is no plan with the price ${this.session.price.id}.`);
    return plan;
  }

  get larger(): Plan {
    return this.#neighbour(1) ?? this.#neighbour(-1) ?? this.plan;
  }

  get smaller(): Plan {
    return this.#neighbour(-1) ?? this.#neighbour(1) ?? this.plan;
  }

  #neighbour(distance: 1 | -1): Plan | undefined {
    const ordered = this.#plans.toSorted((a, b) => a.price.unit_amount - b.price.unit_amount);
    return ordered[ordered.indexOf(this.plan) + distance];
  }

  later(seconds: number): void {
    this.#now += seconds;
  }

  until(time: number): void {
    this.#now = time;
  }

  moment(name: string): void {
    this.moments.push({ name, at: this.#now, events: this.steps.length });
  }

  send(type: string, object: object): void {
    this.steps.push({ at: this.#now, event: eventOf(type, object, this.#now, this.shape) });
  }

  /** Takes the events that `act` sends off the line. `arrive` puts them on it later, with their old times. */
  holdBack(act: () => void): StripeEvent[] {
    const before = this.steps.length;
    act();
    return this.steps.splice(before).map(({ event }) => event);
  }

  arrive(events: readonly StripeEvent[]): void {
    for (const event of events) this.steps.push({ at: this.#now, event });
  }

  /** The first one has the id that the emulator gives the subscription of the session. */
  subscribe(change: SubscribeChange = {}): RecordedSubscription {
    this.#subscriptions += 1;
    const suffix = this.#subscriptions === 1 ? '' : `_${this.#subscriptions}`;
    const id = `${this.session.id.replace('cs_', 'sub_')}${suffix}`;
    const { plan = this.plan, quantity = 1, metadata, customer, fields, trialDays = 0 } = change;
    const { price = plan.price } = change;
    const trialEnd = this.#now + trialDays * day;
    const trial = { status: 'trialing', trial_start: this.#now, trial_end: trialEnd };
    return new RecordedSubscription(this, {
      id,
      customer: customer ?? this.session.customer,
      metadata: metadata ?? { ...this.session.metadata, service_entitlement_code: plan.code },
      items: change.items ?? [{ price, quantity }],
      period: { start: this.#now, end: trialDays > 0 ? trialEnd : this.#now + month },
      fields: {
        status: 'active',
        created: this.#now,
        start_date: this.#now,
        ...(trialDays > 0 ? trial : {}),
        ...fields,
      },
    });
  }

  nextInvoice(): string {
    this.#invoices += 1;
    return `in_${this.session.id.replace('cs_', '')}_${this.#invoices}`;
  }
}

type SubscribeChange = {
  plan?: Plan;
  price?: Plan['price'];
  quantity?: number;
  items?: Item[];
  metadata?: Record<string, string>;
  customer?: string;
  trialDays?: number;
  fields?: Fields;
};

/** A subscription at Stripe: each verb changes it and sends what Stripe sends then. */
export class RecordedSubscription {
  readonly #stripe: RecordedStripe;
  readonly #invoices: Invoice[] = [];
  #state: Subscription;

  constructor(stripe: RecordedStripe, state: Subscription) {
    this.#stripe = stripe;
    this.#state = state;
    this.#bill('subscription_create', state.period, this.#recurring());
    this.#send('created');
  }

  get period(): Period {
    return this.#state.period;
  }

  get status(): string {
    return String(this.#state.fields.status);
  }

  get invoices(): number {
    return this.#invoices.length;
  }

  /** The newest invoice, or one further back. */
  invoice(back = 0): Invoice {
    const invoice = this.#invoices.at(-1 - back);
    if (!invoice) throw new Error('There is no such invoice.');
    return invoice;
  }

  update(fields: Fields, type: 'updated' | 'paused' | 'resumed' = 'updated'): void {
    this.#state = { ...this.#state, fields: { ...this.#state.fields, ...fields } };
    this.#send(type);
  }

  /** A newer period opens, with a draft of its invoice. `plan`: at its price from now on. */
  turn(plan?: Plan): void {
    const { period, items } = this.#state;
    const next = { start: period.end, end: period.end + month };
    const priced = plan === undefined ? items : [{ price: plan.price, quantity: 1 }];
    const status = this.status === 'trialing' ? 'active' : this.status;
    this.#state = { ...this.#state, period: next, items: priced, fields: { ...this.#state.fields, status } };
    this.#bill('subscription_cycle', period, this.#recurring());
    this.update({});
  }

  /** The period ends, the next one opens, and an hour later its invoice is paid. */
  renew(plan?: Plan): void {
    this.#stripe.until(this.period.end);
    this.turn(plan);
    this.#stripe.later(hour);
    this.pay();
  }

  pay(invoice = this.invoice()): void {
    this.#settle(invoice, 'paid');
    const waits = ['past_due', 'unpaid', 'incomplete'].includes(this.status);
    if (waits && invoice === this.invoice()) this.update({ status: 'active' });
  }

  fail(invoice = this.invoice()): void {
    Object.assign(invoice, { status: 'open', attempts: invoice.attempts + 1 } satisfies Partial<Invoice>);
    this.#sendInvoice('payment_failed', invoice);
    if (this.status === 'active') this.update({ status: 'past_due' });
  }

  /** It is sent to the customer, who has so many days to pay it. */
  invoiceSent(days: number): void {
    Object.assign(this.invoice(), {
      status: 'open',
      dueDate: this.#stripe.now + days * day,
    } satisfies Partial<Invoice>);
    this.#sendInvoice('sent', this.invoice());
  }

  void(invoice = this.invoice()): void {
    this.#settle(invoice, 'void');
  }

  markUncollectible(invoice = this.invoice()): void {
    this.#settle(invoice, 'uncollectible');
  }

  /** What the customer has in credit pays the newest invoice, in cents. */
  credit(amount: number): void {
    Object.assign(this.invoice(), { startingBalance: -amount } satisfies Partial<Invoice>);
  }

  discount(amount: number): void {
    Object.assign(this.invoice(), { discount: amount } satisfies Partial<Invoice>);
  }

  /** Changes the price now. The metadata keeps the name of the plan of the checkout, as after the portal. */
  changeItems(items: readonly Item[], fields: Fields = {}): void {
    this.#state = { ...this.#state, items };
    this.update(fields);
  }

  /** Changes the plan now and bills the rest of the period. `anew`: a new period begins now. */
  changePlan({ price }: Plan, { anew = false } = {}): void {
    const { items, period } = this.#state;
    const [before] = items;
    const after = { price, quantity: 1 };
    const now = this.#stripe.now;
    const rest = { start: now, end: period.end };
    const share = (period.end - now) / (period.end - period.start);
    const amountOf = ({ price }: Item) => Math.round(price.unit_amount * share);
    if (!before) throw new Error('It has no item.');
    const credited: Line = { item: before, period: rest, amount: -amountOf(before), proration: 'at once' };
    const charged: Line = { item: after, period: rest, amount: amountOf(after), proration: 'at once' };
    this.#state = {
      ...this.#state,
      items: [after],
      ...(anew ? { period: { start: now, end: now + month } } : {}),
    };
    this.#bill(
      'subscription_update',
      { start: now, end: now },
      anew ? [credited, ...this.#recurring()] : [credited, charged],
    );
    this.update(anew ? { billing_cycle_anchor: now } : {});
  }

  /** A paused one goes on with a new period once its invoice is paid. */
  resumeAnew(): void {
    const now = this.#stripe.now;
    this.#state = { ...this.#state, period: { start: now, end: now + month } };
    this.#bill('subscription_cycle', { start: now, end: now }, this.#recurring());
    this.#settle(this.invoice(), 'paid');
    this.update({ status: 'active', billing_cycle_anchor: now }, 'resumed');
  }

  /** What an earlier change left over is a line of the newest invoice, in cents. */
  settlePending(amount: number): void {
    const invoice = this.invoice();
    const [first] = invoice.lines;
    if (!first) throw new Error('It has no line.');
    const pending: Line = { item: first.item, period: invoice.period, amount, proration: 'pending' };
    Object.assign(invoice, { lines: [pending, ...invoice.lines] } satisfies Partial<Invoice>);
  }

  end(reason: 'cancellation_requested' | 'payment_failed' = 'cancellation_requested'): void {
    const now = this.#stripe.now;
    const { canceled_at = null } = this.#state.fields;
    const details = { comment: null, feedback: null, feedback_option: null, reason };
    const ended = { status: 'canceled', ended_at: now, canceled_at: canceled_at ?? now, cancellation_details: details };
    this.#state = { ...this.#state, fields: { ...this.#state.fields, ...ended } };
    this.#send('deleted');
  }

  /** A charge of the newest invoice is paid back, in cents. */
  refund(amount: number): void {
    this.#stripe.send('charge.refunded', chargeObject(this.invoice(), amount, this.#stripe.shape));
  }

  dispute(): void {
    this.#stripe.send('charge.dispute.created', disputeObject(this.invoice(), this.#stripe.now));
  }

  #recurring(): Line[] {
    const { items, period, fields } = this.#state;
    const amountOf = ({ price, quantity }: Item) => (fields.status === 'trialing' ? 0 : price.unit_amount * quantity);
    return items.map((item) => ({ item, period, amount: amountOf(item) }));
  }

  #bill(reason: Invoice['reason'], period: Period, lines: Line[]): void {
    const id = this.#stripe.nextInvoice();
    this.#invoices.push({
      id,
      subscription: this.#state,
      reason,
      status: reason === 'subscription_cycle' ? 'draft' : 'open',
      created: this.#stripe.now,
      period: reason === 'subscription_create' ? { start: this.#stripe.now, end: this.#stripe.now } : period,
      lines,
      startingBalance: 0,
      discount: 0,
      attempts: 0,
      dueDate: null,
      settledAt: null,
    });
    this.#state = { ...this.#state, fields: { ...this.#state.fields, latest_invoice: id } };
  }

  #settle(invoice: Invoice, status: 'paid' | 'void' | 'uncollectible'): void {
    const types = { paid: 'paid', void: 'voided', uncollectible: 'marked_uncollectible' };
    const attempts = invoice.attempts + (status === 'paid' ? 1 : 0);
    Object.assign(invoice, { status, attempts, settledAt: this.#stripe.now } satisfies Partial<Invoice>);
    this.#sendInvoice(types[status], invoice);
  }

  #send(type: 'created' | 'updated' | 'deleted' | 'paused' | 'resumed'): void {
    this.#stripe.send(`customer.subscription.${type}`, subscriptionObject(this.#state, this.#stripe.shape));
  }

  #sendInvoice(type: string, invoice: Invoice): void {
    this.#stripe.send(`invoice.${type}`, invoiceObject(invoice, this.#stripe.shape));
  }
}
