import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { pay } from '../../test/support/plans.ts';
import { verifyPrices } from './verify-prices.ts';

let service: Service;
let ada: TestPerson;
beforeAll(async () => {
  service = await createService();
  await verifyPrices(service.context);
});
afterAll(() => service.close());
beforeEach(async () => void (ada = await signUp(service)));

const open = (address: string) => fetch(address.replace(service.context.publicUrl, service.url));
const start = async () =>
  (await service.call('POST', '/api/checkout/tier', { as: ada.token, body: { tier: 'solo' } })).body.checkout;

/** Where the provider is told to send the customer back to. */
async function returnAddresses() {
  const asked = vi.spyOn(service.context.provider, 'createCheckout');
  await start();
  const { successUrl = '', cancelUrl = '' } = asked.mock.calls[0]?.[0] ?? {};
  asked.mockRestore();
  return { successUrl, cancelUrl };
}

test('the addresses that the provider returns to lead to a page that says when the plan starts, and where to see it', async () => {
  const { successUrl, cancelUrl } = await returnAddresses();
  for (const [address, title] of [
    [successUrl, 'Back from checkout'],
    [cancelUrl, 'Checkout left'],
  ] as const) {
    const answer = await open(address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const html = await answer.text();
    for (const words of [`<h1>${title}</h1>`, 'signed event', 'GET /api/v1/entitlements', '/docs'])
      expect(html).toContain(words);
    expect(html).not.toContain('<script');
  }
});

test('only the words depend on its parameters, and nothing of them is shown', async () => {
  const page = async (query: string) => (await open(`${service.url}/plans${query}`)).text();
  const plain = await page('');
  expect(plain).toContain('<h1>Plans</h1>');
  for (const query of [
    '?checkout=paid',
    '?checkout=constructor',
    '?checkout=success&checkout=cancel',
    '?plan=studio&paid=1',
  ])
    expect(await page(query)).toBe(plain);
  expect(await page('?checkout=success&session_id=cs_1&plan=studio')).toBe(await page('?checkout=success'));
});

test('the sandbox leads back to it, as any provider does', async () => {
  const { successUrl, cancelUrl } = await returnAddresses();
  const { url } = await start();
  const page = async (address: string) => (await open(address)).text();
  expect(await page(url)).toContain(`href="${cancelUrl}"`);
  expect((await pay(service, url)).status).toBe(303);
  expect(await page(`${url}/paid`)).toContain(`href="${successUrl}"`);
});
