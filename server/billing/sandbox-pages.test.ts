import { beforeAll, beforeEach, expect, test } from 'vitest';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { pay, sendEvent, subscriptionEvent } from '../../test/support/plans.ts';
import { createService, sharedService, type Service } from '../../test/support/harness.ts';
import { verifyPrices } from './verify-prices.ts';

let service: Service;
let ada: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  await verifyPrices(service.context);
});
beforeEach(async () => void (ada = await signUp(service)));

async function checkoutUrl(tier: string, { token } = ada): Promise<string> {
  const { body } = await service.call('POST', '/api/checkout/tier', { as: token, body: { plan_code: tier } });
  return body.checkout.url;
}
const open = (url: string) => fetch(service.url + new URL(url).pathname);
const codes = async () =>
  (await service.call('GET', '/api/v1/me', { as: ada.token })).body.entitlement_summary.plan_codes as string[];

test('the page names plan and price, has a pay button, and runs no script', async () => {
  const answer = await open(await checkoutUrl('studio'));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  const html = await answer.text();
  expect(html).toContain('<h1>Checkout: Studio</h1>');
  expect(html).toContain('<button>Pay $499.00 per month</button>');
  expect(html).not.toContain('<script');
});

test('paying sends a signed event over HTTP that grants; the page after it only says so', async () => {
  const url = await checkoutUrl('studio');
  const paid = await open(`${url}/paid`);
  expect(paid.status).toBe(200);
  expect(await codes()).toEqual([]);

  const answer = await pay(service, url);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${new URL(url).pathname}/paid`]);
  expect(await codes()).toEqual(['studio']);
  expect((await pay(service, url)).status).toBe(303);
  expect((await open(url)).url).toMatch(/\/paid$/);
});

test('a browser posts the form', async () => {
  const url = await checkoutUrl('agent');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams();
  const address = `${service.url}${new URL(url).pathname}/pay`;
  expect((await fetch(address, { method: 'POST', headers, body, redirect: 'manual' })).status).toBe(303);
  expect(await codes()).toContain('agent');
});

test('two concurrent clicks pay once', async () => {
  const url = await checkoutUrl('solo');
  await Promise.all([pay(service, url), pay(service, url)]);
  const { body } = await service.call('GET', '/api/v1/entitlements', { as: ada.token });
  expect(body.entitlements.filter(({ plan_code }: { plan_code: string }) => plan_code === 'solo')).toHaveLength(1);
});

test('an unknown checkout is not found', async () => {
  expect((await service.call('GET', '/sandbox/checkout/cs_sandbox_unknown')).body.error.code).toBe('not_found');
});

test('production has no sandbox: no page, no checkout, and only events about real money', async () => {
  const secret = 'whsec_0123456789abcdefghijklmnopqrstuv';
  const production = await createService(
    {
      NODE_ENV: 'production',
      STRIPE_WEBHOOK_SECRET: secret,
      PUBLIC_URL: 'https://atelier.example.com',
      SMTP_URL: 'smtp://localhost',
      STRIPE_SECRET_KEY: 'sk_live_unused',
      STRIPE_API_URL: 'http://127.0.0.1:1',
      LOG_LEVEL: 'fatal',
    },
    { databaseUrl: service.databaseUrl },
  );
  const bob = await signUp(service);
  const { pathname } = new URL(await checkoutUrl('studio', bob));
  expect((await production.call('GET', pathname)).status).toBe(404);
  await verifyPrices(production.context);
  const body = { plan_code: 'studio' };
  const started = await production.call('POST', '/api/checkout/tier', { as: bob.token, body });
  expect([started.status, started.body.error.code]).toEqual([503, 'checkout_unavailable']);

  const names = { accountId: bob.accountId, customer: `cus_sandbox_${bob.accountId.replaceAll('-', '')}` };
  const event = (livemode: boolean) =>
    subscriptionEvent(production, { ...names, subscription: 'sub_production' }, 'studio', { livemode });
  expect((await sendEvent(production, event(false), { secret })).body.status).toBe('ignored');
  expect((await sendEvent(production, event(true), { secret })).body.status).toBe('processed');
  await production.close();
});
