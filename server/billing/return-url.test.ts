import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { pay } from '../../test/support/plans.ts';
import { verifyPrices } from './verify-prices.ts';

let service: Service;
let ada: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  await verifyPrices(service.context);
});
beforeEach(async () => void (ada = await signUp(service)));

const open = (address: string) => fetch(address.replace(service.context.publicUrl, service.url));
const start = async () =>
  (await service.call('POST', '/api/checkout/tier', { as: ada.token, body: { plan_code: 'solo' } })).body.checkout;

/** The return addresses given to the provider. */
async function returnAddresses() {
  const asked = vi.spyOn(service.context.provider, 'createCheckout');
  await start();
  const { successUrl = '', cancelUrl = '' } = asked.mock.calls[0]?.[0] ?? {};
  asked.mockRestore();
  return { successUrl, cancelUrl };
}

test('the provider is told to send the customer back to the page of the plans', async () => {
  const { publicUrl } = service.context;
  expect(await returnAddresses()).toEqual({
    successUrl: `${publicUrl}/plans?checkout=success`,
    cancelUrl: `${publicUrl}/plans?checkout=cancel`,
  });
});

test('the sandbox leads back to it, as any provider does', async () => {
  const { successUrl, cancelUrl } = await returnAddresses();
  const { url } = await start();
  const page = async (address: string) => (await open(address)).text();
  expect(await page(url)).toContain(`href="${cancelUrl}"`);
  expect((await pay(service, url)).status).toBe(303);
  expect(await page(`${url}/paid`)).toContain(`href="${successUrl}"`);
});
