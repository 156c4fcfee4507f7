import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Service, sharedService } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { bindCustomer, seconds, sendEvent, subscriptionEvent } from '../../test/support/plans.ts';

let service: Service;
let ada: TestPerson;
let names: { accountId: string; customer: string; subscription: string };
beforeAll(async () => void (service = await sharedService()));

const now = seconds(Date.now());
const day = 86_400;
const paid = { start: now - 40 * day, end: now - 10 * day };
const unpaid = { start: now - 10 * day, end: now + 20 * day };

const price = { id: 'price_studio_monthly' };
const pricing = { price_details: { price: price.id, product: 'prod_studio' }, type: 'price_details' };

async function send(type: string, created: number, object: object): Promise<void> {
  const { status, body } = await sendEvent(service, {
    id: `evt_${randomUUID()}`,
    type,
    livemode: false,
    created,
    data: { object },
  });
  expect([status, body.status]).toEqual([200, 'processed']);
}

const subscriptionIs = (status: string, created: number, { start, end }: typeof paid, invoice: string) => {
  const object = { status, latest_invoice: invoice, current_period_start: start, current_period_end: end };
  const { type, data } = subscriptionEvent(service, names, 'studio', { object });
  return send(type, created, data.object);
};
const invoiceIs = (outcome: string, created: number, id: string, line: object) => {
  const { customer, subscription } = names;
  return send(`invoice.${outcome}`, created, { id, customer, subscription, lines: { data: [line], has_more: false } });
};
const paidUntil = async () =>
  seconds((await service.call('GET', '/api/v1/entitlements', { as: ada.token })).body.entitlements[0].paid_until);

/** A subscription whose renewal was not paid. */
beforeEach(async () => {
  ada = await signUp(service);
  names = { accountId: ada.accountId, customer: await bindCustomer(service, ada), subscription: `sub_${randomUUID()}` };
  await subscriptionIs('active', paid.start, paid, 'in_1');
  await invoiceIs('paid', paid.start + 1, 'in_1', { period: paid, price });
  await subscriptionIs('active', unpaid.start, unpaid, 'in_2');
  await invoiceIs('payment_failed', unpaid.start + 3600, 'in_2', { period: unpaid, price });
  await subscriptionIs('past_due', unpaid.start + 3600, unpaid, 'in_2');
});

/** What is left of the period. */
const rest = { start: now - day, end: unpaid.end };

test.each<[string, object]>([
  ['a proration of an older API version', { proration: true, price, type: 'invoiceitem' }],
  ['a proration', { pricing, parent: { subscription_item_details: { proration: true }, invoice_item_details: null } }],
  [
    'a proration that was added',
    { pricing, parent: { subscription_item_details: null, invoice_item_details: { proration: true } } },
  ],
  ['a fee of an older API version', { proration: false, price, type: 'invoiceitem' }],
  ['a fee', { pricing, parent: { subscription_item_details: null, invoice_item_details: { proration: false } } }],
])('%s pays for no period', async (_, line) => {
  await invoiceIs('paid', now, 'in_3', { period: rest, ...line });
  expect(await paidUntil()).toBe(paid.end);
});

test.each<[string, object]>([
  ['of an older API version', { proration: false, price, type: 'subscription' }],
  [
    'since API version 2025-03-31',
    { pricing, parent: { subscription_item_details: { proration: false }, invoice_item_details: null } },
  ],
])('the recurring line pays for its period: %s', async (_, line) => {
  await invoiceIs('paid', now, 'in_2', { period: unpaid, ...line });
  expect(await paidUntil()).toBe(unpaid.end);
});
