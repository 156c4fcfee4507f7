import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyPrices } from './verify-prices.ts';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
// Of its own: it makes a price one that differs at the provider.
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const plans = async () => (await service.call('GET', '/api/v1/plans')).body.plans;

test('200 with the shipped tiers; informational until the prices of all are verified', async () => {
  const before = await plans();
  expect(before).toEqual([
    {
      plan_code: 'solo',
      name: 'Solo',
      access_kind: 'human',
      unit: 'job',
      quota: 5,
      concurrency_limit: 2,
      price: { id: 'price_solo_monthly', product: 'prod_solo', unit_amount: 4900, currency: 'usd', interval: 'month' },
      checkout_available: false,
    },
    expect.objectContaining({ plan_code: 'agent', access_kind: 'agent', quota: 100, concurrency_limit: 10 }),
    expect.objectContaining({ plan_code: 'studio', access_kind: 'both', quota: 500, concurrency_limit: 25 }),
  ]);
  await verifyPrices(service.context);
  expect(await plans()).toEqual(before.map((plan: object) => ({ ...plan, checkout_available: true })));
});

test('200 without checkout for any plan when one price is not verified', async () => {
  await verifyPrices(service.context);
  const { db } = service.context;
  await db.updateTable('plan_prices').set({ verified: false, reason: 'amount' }).where('code', '=', 'solo').execute();
  const shown = await plans();
  expect(shown.map((plan: { checkout_available: boolean }) => plan.checkout_available)).toEqual([false, false, false]);
});

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const { status, body } = await service.call('GET', `/api/v1/plans?${query}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
