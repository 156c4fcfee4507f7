import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import type { ProviderPrice } from './provider.ts';
import { verifiedCodes } from './prices.ts';
import { verifyPrices, verifyPricesWhenDue } from './verify-prices.ts';

let service: Service;
let operator: TestPerson;
beforeAll(async () => {
  service = await createService({ LOG_LEVEL: 'fatal' });
  operator = await makeOperator(service);
});
afterAll(() => service.close());
beforeEach(() => vi.restoreAllMocks());

const verified = async () => [...(await verifiedCodes(service.context))].toSorted();
const post = (as = operator.token) => service.call('POST', '/api/operator/v1/prices/verify', { as });
const all = ['agent', 'solo', 'studio'];

/** Changes the provider's price for the plan solo. */
function changeSolo(change: Partial<ProviderPrice> | null) {
  const { provider } = service.context;
  const find = provider.findPrice.bind(provider);
  return vi.spyOn(provider, 'findPrice').mockImplementation(async (id) => {
    const found = await find(id);
    return id === 'price_solo_monthly' ? found && change && { ...found, ...change } : found;
  });
}

test('200: asks the provider now; before that nothing is verified', async () => {
  expect(await verified()).toEqual([]);
  const { status, body } = await post();
  expect([status, body.checkout_available, body.livemode]).toEqual([200, true, false]);
  expect(body.prices).toMatchObject(all.map(() => ({ verified: true, reason: null })));
  expect(await verified()).toEqual(all);
});

test.each<[string, Partial<ProviderPrice> | null]>([
  ['the price does not exist at the provider', null],
  ['at the provider active is false, not true', { active: false }],
  ['at the provider livemode is true, not false', { livemode: true }],
  ['at the provider product is prod_other, not prod_solo', { product: 'prod_other' }],
  ['at the provider unit_amount is 1, not 4900', { unit_amount: 1 }],
  ['at the provider unit_amount is null, not 4900', { unit_amount: null }],
  ['at the provider currency is jpy, not usd; interval is null, not month', { currency: 'jpy', interval: null }],
  ['at the provider interval is 3 months, not month', { interval: '3 months' }],
])('200: not verified, with the reason: %s', async (reason, change) => {
  changeSolo(change);
  const { status, body } = await post();
  expect([status, body.checkout_available]).toEqual([200, false]);
  expect(body.prices.find(({ plan_code }: { plan_code: string }) => plan_code === 'solo')).toMatchObject({
    verified: false,
    reason,
  });
  expect(await verified()).toEqual(['agent', 'studio']);
});

test('200: a provider that cannot be reached takes back nothing that was verified, here or by another process', async () => {
  await verifyPrices(service.context);
  vi.spyOn(service.context.provider, 'findPrice').mockRejectedValue(new Error('ECONNREFUSED'));
  expect((await post()).body.checkout_available).toBe(true);
  expect(await verified()).toEqual(all);
});

test('200: nothing is verified of prices about which the provider was never heard', async () => {
  await service.context.db.deleteFrom('plan_prices').execute();
  vi.spyOn(service.context.provider, 'findPrice').mockRejectedValue(new Error('ECONNREFUSED'));
  const { status, body } = await post();
  expect(status).toBe(200);
  expect(body.prices.map(({ reason }: { reason: string }) => reason)).toEqual(
    all.map(() => 'the payment provider did not answer'),
  );
  expect(await verified()).toEqual([]);
});

test('200: a provider that never answers is not waited for', async () => {
  await service.context.db.deleteFrom('plan_prices').execute();
  vi.spyOn(service.context.provider, 'findPrice').mockImplementation(() => new Promise(() => {}));
  expect((await post()).body.checkout_available).toBe(false);
});

test('403 role_required: for operators only', async () => {
  expect((await post((await signUp(service)).token)).body.error.code).toBe('role_required');
});

describe('a verdict is about one price and one provider', () => {
  test('another catalog needs its own', async () => {
    await verifyPrices(service.context);
    const { plans, ...catalog } = service.context.catalog;
    const solo = plans.get('solo')!;
    const dearer = new Map(plans).set('solo', { ...solo, price: { ...solo.price, unit_amount: 5900 } });
    expect([...(await verifiedCodes({ ...service.context, catalog: { ...catalog, plans: dearer } }))]).toEqual([
      'agent',
      'studio',
    ]);
    expect(await verified()).toEqual(all);
  });

  test('another provider needs its own', async () => {
    await verifyPrices(service.context);
    const provider = { ...service.context.provider, name: 'stripe_test' as const };
    expect((await verifiedCodes({ ...service.context, provider })).size).toBe(0);
  });
});

describe('when it is due', () => {
  const ageBy = (interval: string) =>
    sql`update plan_prices set checked_at = now() - ${sql.lit(interval)}::interval where code = 'solo'`.execute(
      service.context.db,
    );
  const asks = async () => {
    const find = vi.spyOn(service.context.provider, 'findPrice');
    await verifyPricesWhenDue(service.context);
    return find.mock.calls.length;
  };

  test('every hour', async () => {
    await verifyPrices(service.context);
    await ageBy('59 minutes');
    expect(await asks()).toBe(0);
    await ageBy('61 minutes');
    expect(await asks()).toBe(3);
  });

  test.each([2, -2])('every hour, also by a process whose clock is %i hours off', async (hours) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
    await verifyPrices(service.context);
    expect(await asks()).toBe(0);
    await ageBy('61 minutes');
    expect(await asks()).toBe(3);
    vi.useRealTimers();
  });

  test('at once for a price that is not verified, or never was', async () => {
    changeSolo({ active: false });
    await verifyPrices(service.context);
    vi.restoreAllMocks();
    expect(await asks()).toBe(3);
    expect(await verified()).toEqual(all);
    await service.context.db.deleteFrom('plan_prices').where('code', '=', 'agent').execute();
    vi.restoreAllMocks();
    expect(await asks()).toBe(3);
  });
});
