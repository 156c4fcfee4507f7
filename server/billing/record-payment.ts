import { sql } from 'kysely';
import type { Catalog } from '../catalog/catalog.ts';
import type { Trx } from '../db/pool.ts';
import type { Period } from './anchored-month.ts';
import { objectOf, type ObjectOf, type Payload } from './payload.ts';
import { type InvoiceEvent, invoiceEvent } from './provider-event.ts';
import { priced, type Terms } from './verify-terms.ts';

type Rules = Pick<Terms, 'plans' | 'livemode'>;

type Payment = {
  kind: 'invoice' | 'refund' | 'dispute';
  id: string;
  account_id: string | null;
  customer: string | null;
  subscription: string | null;
  charge: string | null;
  payment_intent: string | null;
  plan_code: string | null;
  period: Period | null;
  amount: number;
  currency: string;
  happened_at: Date;
};

/**
 * Records what an event says was paid or paid back, and whose it is. Null if it is another product, or
 * says no amount. Evaluated again, it records the same.
 */
export async function recordPayment(
  trx: Trx,
  payload: Payload,
  created: Date,
  { plans, livemode }: Rules,
): Promise<{ accountId: string | null } | null> {
  const payment = payload.livemode === livemode ? paymentOf(payload, created, plans) : null;
  if (!payment) return null;
  await lockPayment(trx, payment);
  const accountId = await record(trx, payload, payment, created);
  if (accountId !== null && payment.kind === 'invoice') await recordEarlyRefunds(trx, payment, { plans, livemode });
  return accountId === null && payment.kind !== 'dispute' ? null : { accountId };
}

async function record(trx: Trx, payload: Payload, payment: Payment, created: Date): Promise<string | null> {
  const accountId = (await accountOf(trx, payment)) ?? (await payerOf(trx, payment));
  if (accountId === null && payment.kind !== 'dispute') return null;
  await write(trx, { ...payment, account_id: accountId }, payload, created);
  if (accountId !== null && payment.kind !== 'dispute') await settleDisputes(trx, payment, accountId);
  return accountId;
}

function paymentOf(payload: Payload, created: Date, plans: Catalog['plans']): Payment | null {
  const [invoice, event] = [objectOf(payload, 'invoice'), invoiceEvent(payload, created)];
  if (invoice && event?.outcome === 'paid') return paidInvoice(invoice, event, plans);
  const charge = objectOf(payload, 'charge');
  if (charge)
    return completePayment(
      { ...ofNobody, ...charge, kind: 'refund', amount: charge.amount_refunded, charge: charge.id },
      created,
    );
  const dispute = objectOf(payload, 'dispute');
  return dispute && completePayment({ ...ofNobody, ...dispute, kind: 'dispute' }, created);
}

const ofNobody = { account_id: null, customer: null, subscription: null, plan_code: null, period: null };

function paidInvoice(invoice: ObjectOf<'invoice'>, event: InvoiceEvent, plans: Catalog['plans']): Payment | null {
  const paidBy = invoice.payments?.data.map(({ payment }) => payment) ?? [];
  const paidAt = invoice.status_transitions?.paid_at;
  const periods = event.lines.filter(({ period: { start, end } }) => start < end);
  const line = periods.find(({ price }) => priced(plans, price)) ?? periods[0];
  // An invoice that only settles a change charges the new plan last.
  const charged = (invoice.lines?.data ?? []).map((any) => any.price?.id || any.pricing?.price_details?.price);
  const plan = priced(plans, line?.price) ?? charged.map((price) => priced(plans, price)).findLast((of) => of);
  return completePayment(
    {
      ...ofNobody,
      kind: 'invoice',
      id: invoice.id,
      customer: event.customer,
      subscription: event.subscription,
      charge: invoice.charge || paidBy.find((by) => by?.charge)?.charge,
      payment_intent: invoice.payment_intent || paidBy.find((by) => by?.payment_intent)?.payment_intent,
      plan_code: plan?.code ?? null,
      period: line?.period ?? null,
      amount: invoice.amount_paid,
      currency: invoice.currency,
    },
    typeof paidAt === 'number' ? new Date(paidAt * 1000) : event.order.createdAt,
  );
}

type Posted = Pick<Payment, 'kind' | 'account_id' | 'plan_code' | 'period'> & {
  [K in 'id' | 'customer' | 'subscription' | 'charge' | 'payment_intent' | 'currency']?: string | null | undefined;
} & { amount?: number | null | undefined };

/** Null without an id, a currency or a whole amount. */
function completePayment(
  { kind, account_id, plan_code, period, ...posted }: Posted,
  happened_at: Date,
): Payment | null {
  const { id, amount, currency } = posted;
  if (!id || !currency || !Number.isSafeInteger(amount) || Number(amount) < 0) return null;
  return {
    kind,
    id,
    account_id,
    customer: posted.customer || null,
    subscription: posted.subscription || null,
    charge: posted.charge || null,
    payment_intent: posted.payment_intent || null,
    plan_code,
    period,
    amount: Number(amount),
    currency: currency.toLowerCase(),
    happened_at,
  };
}

/** Two events about the same payment that arrive at once each find what the other one wrote. */
async function lockPayment(trx: Trx, { charge, payment_intent }: Payment): Promise<void> {
  for (const name of [charge, payment_intent].filter((id) => id !== null).toSorted())
    await sql`
      select pg_advisory_xact_lock(hashtextextended(current_schema() || ' provider_payments ' || ${name}, 0))`.execute(
      trx,
    );
}

/** The account that the customer is bound to. */
async function accountOf(trx: Trx, { customer }: Payment): Promise<string | null> {
  const bound = trx.selectFrom('provider_customers').select('account_id');
  return (await bound.where('customer', '=', customer ?? '').executeTakeFirst())?.account_id ?? null;
}

/** Whose payment was paid back or disputed, where the event does not name a customer of ours. */
async function payerOf(trx: Trx, { kind, charge, payment_intent }: Payment): Promise<string | null> {
  if (kind === 'invoice') return null;
  const { rows } = await sql<{ account_id: string }>`
    select account_id from provider_payments where kind <> 'dispute' and charge = ${charge}
    union all
    select account_id from provider_payments where kind <> 'dispute' and payment_intent = ${payment_intent}
    limit 1`.execute(trx);
  return rows[0]?.account_id ?? null;
}

/** Of several events about one payment the largest amount counts, of equal ones the oldest event. */
async function write(trx: Trx, { period, ...payment }: Payment, payload: Payload, created: Date): Promise<void> {
  const row = {
    ...payment,
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
    livemode: payload.livemode,
    event_id: payload.id,
    event_created_at: created,
  };
  await trx
    .insertInto('provider_payments')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet(row).where(sql<boolean>`
        (-provider_payments.amount, provider_payments.event_created_at, provider_payments.event_id) >= (-excluded.amount, excluded.event_created_at, excluded.event_id)`),
    )
    .execute();
}

async function settleDisputes(trx: Trx, { charge, payment_intent }: Payment, accountId: string): Promise<void> {
  for (const column of ['charge', 'payment_intent'] as const) {
    const settled = await trx
      .updateTable('provider_payments')
      .set({ account_id: accountId })
      .where('kind', '=', 'dispute')
      .where('account_id', 'is', null)
      .where(column, '=', { charge, payment_intent }[column])
      .returning('event_id')
      .execute();
    for (const { event_id } of settled)
      await trx.updateTable('provider_events').set({ account_id: accountId }).where('id', '=', event_id).execute();
  }
}

/**
 * A refund that named no customer of ours until this invoice told whose payment it was. One that is being
 * re-evaluated waits for this transaction, and finds the invoice then.
 */
async function recordEarlyRefunds(trx: Trx, { charge, payment_intent }: Payment, terms: Rules): Promise<void> {
  const { rows } = await sql<{ payload: Payload; created_at: Date }>`
    select payload, created_at from provider_events
    where id in (
      select id from provider_events where type = 'charge.refunded' and payload #>> '{data,object,id}' = ${charge}
      union all
      select id from provider_events
      where type = 'charge.refunded' and payload #>> '{data,object,payment_intent}' = ${payment_intent})
    for key share skip locked`.execute(trx);
  for (const { payload, created_at } of rows) {
    const refund = payload.livemode === terms.livemode ? paymentOf(payload, created_at, terms.plans) : null;
    if (refund) await record(trx, payload, refund, created_at);
  }
}
