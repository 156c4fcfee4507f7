import { randomUUID } from 'node:crypto';
import type { Plan } from '../../server/catalog/catalog.ts';

/** The parameters of a checkout session at the emulator. */
export type Session = { id: string; customer: string; price: Plan['price']; metadata: Record<string, string> };

export type EventChange = {
  type?: 'created' | 'updated' | 'deleted' | 'paused' | 'resumed';
  status?: string;
  /** Seconds. */
  created?: number;
  period?: { start: number; end: number };
  /** A plan other than that of the session. */
  plan?: Plan;
  /** API version 2025-03-31 moved the period from the subscription to its items. */
  shape?: 'before 2025-03-31' | 'since 2025-03-31';
};

const month = 30 * 86_400;

/** An event about the subscription of a checkout session, with all fields that Stripe sends. */
export function stripeEvent(session: Session, change: EventChange = {}) {
  const now = Math.floor(Date.now() / 1000);
  const { type = 'created', status = 'active', created = now, plan, shape = 'since 2025-03-31' } = change;
  const { start, end } = change.period ?? { start: now, end: now + month };
  const { interval, ...price } = plan?.price ?? session.price;
  const bounds = { current_period_start: start, current_period_end: end };
  const id = session.id.replace('cs_', 'sub_');
  const item = {
    id: id.replace('sub_', 'si_'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: start,
    ...(shape === 'since 2025-03-31' ? bounds : {}),
    discounts: [],
    metadata: {},
    price: {
      ...price,
      object: 'price',
      active: true,
      billing_scheme: 'per_unit',
      created: start,
      livemode: false,
      lookup_key: null,
      metadata: {},
      recurring: { interval, interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
      tax_behavior: 'unspecified',
      tiers_mode: null,
      type: 'recurring',
      unit_amount_decimal: String(price.unit_amount),
    },
    quantity: 1,
    subscription: id,
    tax_rates: [],
  };
  return {
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    object: 'event',
    api_version: shape === 'since 2025-03-31' ? '2026-10-28.endive' : '2024-06-20',
    created,
    data: {
      object: {
        id,
        object: 'subscription',
        automatic_tax: { disabled_reason: null, enabled: false, liability: null },
        billing_cycle_anchor: start,
        cancel_at: null,
        cancel_at_period_end: false,
        canceled_at: null,
        collection_method: 'charge_automatically',
        created: start,
        currency: price.currency,
        ...(shape === 'before 2025-03-31' ? bounds : {}),
        customer: session.customer,
        default_payment_method: null,
        ended_at: null,
        items: { object: 'list', data: [item], has_more: false, total_count: 1, url: '/v1/subscription_items' },
        latest_invoice: 'in_emulated',
        livemode: false,
        metadata: { ...session.metadata, ...(plan ? { service_entitlement_code: plan.code } : {}) },
        pause_collection: null,
        schedule: null,
        start_date: start,
        status,
        trial_end: null,
        trial_start: null,
      },
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: `customer.subscription.${type}`,
  };
}
