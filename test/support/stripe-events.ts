import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import type { Plan } from '../../server/catalog/catalog.ts';

/** The parameters of a checkout session at the emulator. */
export type Session = { id: string; customer: string; price: Plan['price']; metadata: Record<string, string> };

/** Seconds since 1970. */
export type Period = { start: number; end: number };
/** API version 2025-03-31 moved the period to the items, and an invoice's subscription under its parent. */
export type Shape = 'before 2025-03-31' | 'since 2025-03-31';
export type Item = { price: Plan['price']; quantity: number };

/** What a subscription has beside what its items say. */
type Fields = Partial<Omit<Stripe.Subscription, 'items'>>;
export type Subscription = {
  id: string;
  customer: string;
  metadata: Record<string, string>;
  items: readonly Item[];
  period: Period;
  fields: Fields;
};

export type EventChange = {
  type?: 'created' | 'updated' | 'deleted' | 'paused' | 'resumed';
  status?: string;
  /** Seconds. */
  created?: number;
  period?: Period;
  /** A plan other than that of the session. */
  plan?: Plan;
  shape?: Shape;
  fields?: Fields;
};

const month = 30 * 86_400;
const isNew = (shape: Shape) => shape === 'since 2025-03-31';

/** What surrounds an object when Stripe sends it. */
export const eventOf = (type: string, object: object, created: number, shape: Shape = 'since 2025-03-31') => ({
  id: `evt_${randomUUID().replaceAll('-', '')}`,
  object: 'event',
  api_version: isNew(shape) ? '2026-10-28.endive' : '2024-06-20',
  created,
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
});
export type StripeEvent = ReturnType<typeof eventOf>;

/** An event about the subscription of a checkout session, with all fields that Stripe sends. */
export function stripeEvent(session: Session, change: EventChange = {}) {
  const now = Math.floor(Date.now() / 1000);
  const { type = 'created', status = 'active', created = now, plan, shape, fields } = change;
  const period = change.period ?? { start: now, end: now + month };
  const id = session.id.replace('cs_', 'sub_');
  const subscription = {
    id,
    customer: session.customer,
    metadata: { ...session.metadata, ...(plan ? { service_entitlement_code: plan.code } : {}) },
    items: [{ price: plan?.price ?? session.price, quantity: 1 }],
    period,
    fields: { status, latest_invoice: `${id.replace('sub_', 'in_')}_${period.start}`, ...fields },
  };
  return eventOf(`customer.subscription.${type}`, subscriptionObject(subscription, shape), created, shape);
}

/** In the shape before 2025-03-31, whose period and first discount stand on the subscription. */
export function subscriptionObject(subscription: Subscription, shape: Shape = 'since 2025-03-31') {
  const { id, customer, metadata, items, period, fields } = subscription;
  const bounds = { current_period_start: period.start, current_period_end: period.end };
  const [first] = items;
  const object = {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: period.start,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: period.start,
    currency: first?.price.currency ?? 'usd',
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: 'pm_emulated',
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    latest_invoice: 'in_emulated',
    livemode: false,
    managed_payments: null,
    metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: period.start,
    status: 'active',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: null,
    ...fields,
  } satisfies Omit<Stripe.Subscription, 'items'>;
  return {
    ...object,
    ...(isNew(shape)
      ? {}
      : { ...bounds, discount: null, plan: first && planObject(first.price), quantity: first?.quantity }),
    items: {
      object: 'list',
      data: items.map((item, index) => ({
        ...itemObject(id, item, index, period.start),
        ...(isNew(shape) ? bounds : {}),
      })),
      has_more: false,
      total_count: items.length,
      url: `/v1/subscription_items?subscription=${id}`,
    },
  };
}

const itemId = (subscription: string, index: number) => `${subscription.replace('sub_', 'si_')}_${index}`;

const itemObject = (subscription: string, { price, quantity }: Item, index: number, created: number) => ({
  id: itemId(subscription, index),
  object: 'subscription_item',
  billing_thresholds: null,
  created,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: planObject(price),
  price: priceObject(price),
  quantity,
  subscription,
  tax_rates: [],
});

function priceObject({ interval, ...price }: Plan['price']) {
  const recurring = {
    interval,
    interval_count: 1,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  } as const;
  const object = {
    ...price,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: 1_700_000_000,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    recurring,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
  } satisfies Omit<Stripe.Price, 'unit_amount_decimal'>;
  return { ...object, unit_amount_decimal: String(price.unit_amount) };
}

/** The older form of a price, which Stripe still sends beside it. */
const planObject = ({ id, product, unit_amount, currency, interval }: Plan['price']) => ({
  id,
  object: 'plan',
  active: true,
  amount: unit_amount,
  currency,
  interval,
  interval_count: 1,
  product,
  usage_type: 'licensed',
});

export type Line = {
  item: Item;
  period: Period;
  amount: number;
  /** For the rest of a period after a change. `pending`: the change was not billed at once. */
  proration?: 'at once' | 'pending';
};

export type Invoice = {
  id: string;
  subscription: Pick<Subscription, 'id' | 'customer' | 'metadata'>;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  created: number;
  /** The period before. An invoice looks back, its recurring line looks forward. */
  period: Period;
  lines: readonly Line[];
  /** What the customer had in credit: negative. */
  startingBalance: number;
  discount: number;
  attempts: number;
  dueDate: number | null;
  settledAt: number | null;
};

export function invoiceObject(invoice: Invoice, shape: Shape = 'since 2025-03-31') {
  const { id, subscription, status, created, period, lines, startingBalance, attempts, settledAt } = invoice;
  const currency = lines[0]?.item.price.currency ?? 'usd';
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const total = subtotal - invoice.discount;
  const due = Math.max(total + startingBalance, 0);
  const paid = status === 'paid' ? due : 0;
  const at = (settled: Invoice['status']) => (status === settled ? settledAt : null);
  const finalized = status === 'draft' ? null : created + 3600;
  const object = {
    id,
    object: 'invoice',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: paid,
    amount_remaining: due - paid,
    amount_shipping: 0,
    attempt_count: attempts,
    attempted: attempts > 0,
    auto_advance: status === 'draft' || status === 'open',
    automatically_finalizes_at: status === 'draft' ? created + 3600 : null,
    billing_reason: invoice.reason,
    collection_method: invoice.dueDate === null ? 'charge_automatically' : 'send_invoice',
    created,
    currency,
    customer: subscription.customer,
    discounts: [],
    due_date: invoice.dueDate,
    effective_at: finalized,
    ending_balance: Math.min(total + startingBalance, 0),
    livemode: false,
    metadata: {},
    number: status === 'draft' ? null : `${id.slice(-8).toUpperCase()}-0001`,
    period_end: period.end,
    period_start: period.start,
    starting_balance: startingBalance,
    status,
    status_transitions: {
      finalized_at: finalized,
      marked_uncollectible_at: at('uncollectible'),
      paid_at: at('paid'),
      voided_at: at('void'),
    },
    subtotal,
    total,
    total_excluding_tax: total,
    webhooks_delivered_at: created,
  } satisfies Partial<Stripe.Invoice>;
  return {
    ...object,
    ...belongingOf(invoice, due, shape),
    lines: {
      object: 'list',
      data: lines.map((line, index) => lineObject(invoice, line, index, shape)),
      has_more: false,
      total_count: lines.length,
      url: `/v1/invoices/${id}/lines`,
    },
  };
}

/** The charge that paid an invoice. Refunds and disputes name it, and the invoice does before 2025-03-31. */
const chargeOf = ({ id }: Pick<Invoice, 'id'>) => id.replace('in_', 'ch_');
const intentOf = ({ id }: Pick<Invoice, 'id'>) => id.replace('in_', 'pi_');

function belongingOf(invoice: Invoice, due: number, shape: Shape) {
  const { id: subscription, metadata } = invoice.subscription;
  if (isNew(shape))
    return {
      parent: {
        quote_details: null,
        subscription_details: { metadata, subscription },
        type: 'subscription_details',
      } satisfies Stripe.Invoice['parent'],
    };
  const isCharged = due > 0 && invoice.attempts > 0;
  return {
    charge: isCharged ? chargeOf(invoice) : null,
    discount: null,
    paid: invoice.status === 'paid',
    paid_out_of_band: false,
    payment_intent: isCharged ? intentOf(invoice) : null,
    quote: null,
    subscription,
    subscription_details: { metadata },
    tax: null,
  };
}

function lineObject(invoice: Invoice, line: Line, index: number, shape: Shape) {
  const { item, period, amount, proration } = line;
  const { price, quantity } = item;
  const subscription = invoice.subscription.id;
  const subscription_item = itemId(subscription, 0);
  const invoice_item = proration ? `ii_${invoice.id.slice(3)}_${index}` : null;
  const object = {
    id: `il_${invoice.id.slice(3)}_${index}`,
    object: 'line_item',
    amount,
    currency: price.currency,
    description: proration ? 'Remaining time' : `${quantity} × ${price.product}`,
    discount_amounts: [],
    discountable: !proration,
    discounts: [],
    livemode: false,
    metadata: invoice.subscription.metadata,
    period,
    quantity,
  } satisfies Partial<Stripe.InvoiceLineItem>;
  if (!isNew(shape))
    return {
      ...object,
      ...(invoice_item === null ? {} : { invoice_item }),
      plan: planObject(price),
      price: priceObject(price),
      proration: proration !== undefined,
      proration_details: { credited_items: null },
      subscription,
      subscription_item,
      type: proration ? 'invoiceitem' : 'subscription',
    };
  const proration_details = { credited_items: null };
  const parent =
    proration === 'pending'
      ? {
          invoice_item_details: { invoice_item: invoice_item ?? '', proration: true, proration_details, subscription },
          subscription_item_details: null,
          type: 'invoice_item_details',
        }
      : {
          invoice_item_details: null,
          subscription_item_details: {
            invoice_item,
            proration: proration !== undefined,
            proration_details,
            subscription,
            subscription_item,
          },
          type: 'subscription_item_details',
        };
  return {
    ...object,
    invoice: invoice.id,
    parent: parent satisfies Stripe.InvoiceLineItem['parent'],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: String(price.unit_amount),
    },
    subscription,
    subtotal: amount,
  };
}

export function chargeObject(invoice: Invoice, amountRefunded: number, shape: Shape = 'since 2025-03-31') {
  const { amount_due, currency } = invoiceObject(invoice, shape);
  const object = {
    id: chargeOf(invoice),
    object: 'charge',
    amount: amount_due,
    amount_captured: amount_due,
    amount_refunded: amountRefunded,
    captured: true,
    created: invoice.settledAt ?? invoice.created,
    currency,
    customer: invoice.subscription.customer,
    disputed: false,
    livemode: false,
    metadata: {},
    paid: true,
    payment_intent: intentOf(invoice),
    refunded: amountRefunded === amount_due,
    status: 'succeeded',
  } satisfies Partial<Stripe.Charge>;
  return { ...object, ...(isNew(shape) ? {} : { invoice: invoice.id }) };
}

/** It names a charge, and no customer. */
export function disputeObject(invoice: Invoice, created: number) {
  const { amount_due, currency } = invoiceObject(invoice);
  return {
    id: `dp_${invoice.id.slice(3)}`,
    object: 'dispute',
    amount: amount_due,
    charge: chargeOf(invoice),
    created,
    currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intentOf(invoice),
    reason: 'fraudulent',
    status: 'needs_response',
  } satisfies Partial<Stripe.Dispute>;
}
