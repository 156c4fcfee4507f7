import { randomUUID } from 'node:crypto';
import type { Service } from './harness.ts';
import { seconds, sendEvent } from './plans.ts';

type Invoice = {
  id?: string;
  customer?: string | null;
  subscription?: string | null;
  /** A plan of the catalog, whose price is charged; null for another price. */
  plan?: string | null;
  amount?: number;
  currency?: string;
  paidAt?: Date;
  charge?: string;
  payment_intent?: string;
  /** Whether the line settles a change of plan. */
  settles?: boolean;
  /** Whether somebody added the line by hand, as a fee. */
  isAdded?: boolean;
  /** API version 2025-03-31 moved subscription, price and payment. */
  shape?: 'before 2025-03-31' | 'since 2025-03-31';
};

const idOf = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** A paid invoice with the fields that are read. */
export function invoicePaid(service: Service, invoice: Invoice) {
  const { id = idOf('in'), customer = null, subscription = null, plan = 'studio', settles = false } = invoice;
  const { isAdded = false } = invoice;
  const { shape = 'since 2025-03-31', charge, payment_intent, paidAt = new Date() } = invoice;
  const priced = plan === null ? undefined : service.context.catalog.plans.get(plan)?.price;
  const price = priced?.id ?? 'price_other';
  const start = seconds(paidAt);
  const isOld = shape === 'before 2025-03-31';
  const line = {
    period: { start, end: start + 30 * 86_400 },
    ...(isOld
      ? { proration: settles, price: { id: price }, ...(isAdded ? { type: 'invoiceitem' } : {}) }
      : {
          pricing: { price_details: { price } },
          parent: isAdded
            ? { invoice_item_details: { proration: settles } }
            : { subscription_item_details: { proration: settles } },
        }),
  };
  const paidBy = { ...(charge ? { charge } : {}), ...(payment_intent ? { payment_intent } : {}) };
  return {
    id: idOf('evt'),
    type: 'invoice.paid',
    livemode: false,
    created: start,
    data: {
      object: {
        id,
        customer,
        ...(isOld
          ? { subscription, ...paidBy }
          : { parent: { subscription_details: { subscription } }, payments: { data: [{ payment: paidBy }] } }),
        amount_paid: invoice.amount ?? priced?.unit_amount ?? 5_000,
        currency: invoice.currency ?? priced?.currency ?? 'usd',
        status_transitions: { paid_at: start },
        lines: { data: [line] },
      },
    },
  };
}

type Back = {
  id?: string;
  customer?: string | null;
  charge?: string;
  payment_intent?: string | null;
  amount?: number;
  currency?: string;
  at?: Date;
};

export const chargeRefunded = (back: Back) => ({
  id: idOf('evt'),
  type: 'charge.refunded',
  livemode: false,
  created: seconds(back.at ?? new Date()),
  data: {
    object: {
      id: back.charge ?? idOf('ch'),
      customer: back.customer ?? null,
      payment_intent: back.payment_intent ?? null,
      amount_refunded: back.amount ?? 1_000,
      currency: back.currency ?? 'usd',
    },
  },
});

export const disputeCreated = (back: Back) => ({
  id: idOf('evt'),
  type: 'charge.dispute.created',
  livemode: false,
  created: seconds(back.at ?? new Date()),
  data: {
    object: {
      id: back.id ?? idOf('du'),
      charge: back.charge ?? idOf('ch'),
      payment_intent: back.payment_intent ?? null,
      amount: back.amount ?? 1_000,
      currency: back.currency ?? 'usd',
    },
  },
});

export async function sendAll(service: Service, events: readonly object[]): Promise<void> {
  for (const event of events) await sendEvent(service, event);
}
