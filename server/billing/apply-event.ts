import { lockCounters, type Trx } from '../db/pool.ts';
import { faultOf, isDeleted, type Payload, supportedTypes } from './payload.ts';
import { invoiceEvent, type InvoiceEvent, subscriptionEvent, type SubscriptionEvent } from './provider-event.ts';
import { recordPayment } from './record-payment.ts';
import { rewriteSubscription } from './rewrite-subscription.ts';
import { subscriberOf } from './subscription-row.ts';
import { invoicedPlan, type Judgement, ownerFault, paidPlan, type Terms } from './verify-terms.ts';

/** Judges an event and writes its changes. The row of the event exists already. */
export async function judgeAndApply(trx: Trx, payload: Payload, created: Date, terms: Terms): Promise<Judgement> {
  if (isDeleted(payload)) return { accountId: null, reason: 'another product' };
  const fault = faultOf(payload);
  if (fault !== null) return { accountId: null, reason: `${fault}: not of the form that the provider documents` };
  const event = subscriptionEvent(payload, created) ?? invoiceEvent(payload, created);
  const judgement = event ? await applyEvent(trx, event, terms) : null;
  const payment = await recordPayment(trx, payload, created, terms);
  if (judgement) return judgement;
  if (!supportedTypes.has(payload.type)) return { accountId: null, reason: 'unsupported type' };
  return payment ? { ...payment, reason: null } : { accountId: null, reason: 'another product' };
}

/**
 * Locks the account first, as admission and moves do, so what is read afterwards stays true until the commit.
 */
async function applyEvent(trx: Trx, event: SubscriptionEvent | InvoiceEvent, terms: Terms): Promise<Judgement> {
  const { subscription, order } = event;
  const { plans, livemode } = terms;
  const accountId = event.customer === null ? null : await lockAccountOf(trx, event.customer);
  const subscriber = subscription === null ? null : await subscriberOf(trx, subscription);
  const fault = ownerFault(event, { accountId, subscriber, livemode }, plans);
  if (fault !== null || subscription === null || accountId === null)
    return { accountId, reason: fault ?? 'missing subscription' };
  const plan = event.kind === 'invoice' ? invoicedPlan(event, plans) : paidPlan(event, plans);
  const priceFault = typeof plan === 'string' ? plan : null;
  await trx
    .updateTable('provider_events')
    .set({
      plan_code: plan === null || typeof plan === 'string' ? null : plan.code,
      // An event that had an unreadable form before has none of these yet.
      subscription,
      customer: event.customer,
      livemode: event.livemode,
    })
    .where('id', '=', order.id)
    .execute();
  const reason = await rewriteSubscription(trx, { accountId, subscription }, terms, { id: order.id, priceFault });
  return { accountId, reason };
}

/** A customer stays bound to its account, so what was read before the lock is right. */
async function lockAccountOf(trx: Trx, customer: string): Promise<string | null> {
  const bound = await trx
    .selectFrom('provider_customers')
    .select('account_id')
    .where('customer', '=', customer)
    .executeTakeFirst();
  if (!bound) return null;
  await lockCounters(trx, bound.account_id);
  return bound.account_id;
}
