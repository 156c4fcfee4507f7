import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openService, type Service } from '../../test/service.ts';
import { verifiedCodes, verifyPrices } from './prices.ts';
import { noProvider, type ProviderPrice } from './provider.ts';

let service: Service;
beforeAll(async () => {
  service = await openService({ LOG_LEVEL: 'fatal' });
});
afterAll(() => service.close());
beforeEach(() => vi.restoreAllMocks());

const verified = async () => [...(await verifiedCodes(service.house.db))].toSorted();
/** What is kept about the plan solo when the provider has its price like this. */
async function reasonFor(change: Partial<ProviderPrice> | null) {
  const { provider } = service.house;
  const find = provider.findPrice.bind(provider);
  vi.spyOn(provider, 'findPrice').mockImplementation(async (id) => {
    const found = await find(id);
    return id === 'price_solo_monthly' ? found && change && { ...found, ...change } : found;
  });
  await verifyPrices(service.house);
  const row = service.house.db.selectFrom('plan_prices').select('reason').where('code', '=', 'solo');
  return (await row.executeTakeFirstOrThrow()).reason;
}

test('the sandbox has the shipped prices', async () => {
  expect(await verified()).toEqual([]);
  await verifyPrices(service.house);
  expect(await verified()).toEqual(['agent', 'solo', 'studio']);
});

test.each<[string, Partial<ProviderPrice> | null]>([
  ['the price does not exist', null],
  ['the price is not active', { active: false }],
  ['the price is of the other mode', { livemode: true }],
  ['the price has another product', { product: 'prod_other' }],
  ['the price has another unit_amount', { unit_amount: 1 }],
  ['the price has another currency, interval', { currency: 'jpy', interval: null }],
])('not verified: %s', async (reason, change) => {
  expect(await reasonFor(change)).toBe(reason);
  expect(await verified()).toEqual(['agent', 'studio']);
});

test('not verified: the provider cannot be reached, although it was verified before', async () => {
  await verifyPrices(service.house);
  vi.spyOn(service.house.provider, 'findPrice').mockRejectedValue(new Error('ECONNREFUSED'));
  await verifyPrices(service.house);
  expect(await verified()).toEqual([]);
});

test('not verified: no provider is connected', async () => {
  await verifyPrices({ ...service.house, provider: noProvider });
  expect(await verified()).toEqual([]);
});
