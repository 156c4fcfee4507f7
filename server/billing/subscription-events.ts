import { sql } from 'kysely';
import type { Catalog } from '../catalog/catalog.ts';
import type { Trx } from '../db/pool.ts';
import type { CarriedOver, FoldedEvent } from './facts.ts';
import { faultOf, type Payload } from './payload.ts';
import { invoiceEvent, subscriptionEvent } from './provider-event.ts';
import { invoicedPlan, priced, type Reason } from './verify-terms.ts';

export type StoredEvent = {
  id: string;
  payload: Payload;
  created_at: Date;
  receipt: string;
  outcome: 'processed' | 'ignored';
  reason: Reason | null;
  plan_code: string | null;
};

/** Events of a subscription that are about the account it belongs to, and `id`, which is being judged. */
export async function eventsOf(trx: Trx, subscription: string, accountId: string, id: string | null) {
  const { rows } = await sql<StoredEvent>`
    select id, payload, created_at, receipt, outcome, reason, plan_code from provider_events
    where subscription = ${subscription} and (id = ${id} or account_id = ${accountId} and (reason is null or reason not in
      ('wrong livemode', 'customer of another account', 'subscription of another account', 'another product')))`.execute(
    trx,
  );
  return rows.filter(({ payload }) => faultOf(payload) === null);
}

/** In our own terms, with the plan that was verified when the event was judged. */
export function foldable({ payload, created_at, ...row }: StoredEvent, plans: Catalog['plans']): FoldedEvent[] {
  const subscription = subscriptionEvent(payload, created_at);
  if (subscription) {
    // The previous version verified the price, and stored no plan.
    const [price] = subscription.prices;
    const before = priced(plans, price?.id)?.code ?? subscription.planCode;
    const plan = row.plan_code ?? (row.outcome === 'processed' ? before : null);
    return [{ ...subscription, plan: plan ?? { fault: row.reason ?? 'missing metadata' } }];
  }
  const invoice = invoiceEvent(payload, created_at);
  if (!invoice) return [];
  // An invoice confirms only a period of our price, which the catalog may have learned since.
  const isOurs = row.plan_code !== null || invoicedPlan(invoice, plans) !== null;
  return [invoice.outcome === 'paid' && !isOurs ? { ...invoice, lines: [] } : invoice];
}

export type CarriedRow = {
  code: string;
  carried_as: string | null;
  carried_at: Date | null;
  carried_start: Date | null;
  carried_end: Date | null;
};

const carriedRank = 9;

export function carriedOver({ code, carried_at, carried_start, carried_end }: CarriedRow): CarriedOver[] {
  if (carried_at === null) return [];
  const period = carried_start && carried_end ? { start: carried_start, end: carried_end } : null;
  return [
    {
      kind: 'carried over',
      order: { createdAt: carried_at, rank: carriedRank, weight: 0, start: 0, id: '' },
      code,
      period,
    },
  ];
}
