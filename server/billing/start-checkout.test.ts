import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { setPlan } from '../../test/support/jobs.ts';
import { addMember, makeKey, signUp, type TestPerson } from '../../test/support/people.ts';
import { grant, pay } from '../../test/support/plans.ts';
import { type As, createService, type Service } from '../../test/support/harness.ts';
import { verifyPrices } from './verify-prices.ts';

let service: Service;
let ada: TestPerson;
beforeAll(async () => {
  service = await createService({ LOG_LEVEL: 'fatal' });
});
afterAll(() => service.close());
beforeEach(async () => {
  vi.restoreAllMocks();
  await verifyPrices(service.context);
  ada = await signUp(service);
});

const start = (tier: unknown = 'agent', as: As = ada.token) =>
  service.call('POST', '/api/checkout/tier', { as, body: { plan_code: tier } });
const activePlans = async () => {
  const { body } = await service.call('GET', '/api/v1/entitlements', { as: ada.token });
  const active = body.entitlements.filter(({ status }: { status: string }) => status === 'active');
  return active.map(({ plan_code }: { plan_code: string }) => plan_code).toSorted();
};
const customers = () =>
  service.context.db.selectFrom('provider_customers').selectAll().where('account_id', '=', ada.accountId).execute();

describe('answers', () => {
  test('201: where to pay, on our own address, with a customer that is bound to the account', async () => {
    const { status, body } = await start();
    expect(status).toBe(201);
    expect(body.checkout.url).toBe(`${service.context.publicUrl}/sandbox/checkout/${body.checkout.id}`);
    expect(await customers()).toMatchObject([{ customer: body.checkout.customer }]);
  });

  test('201: for an admin and by cookie with the CSRF token', async () => {
    expect((await start('agent', await addMember(service, ada, 'admin'))).status).toBe(201);
  });

  test('201: the checkout alone grants nothing', async () => {
    await start();
    const { body } = await service.call('GET', '/api/v1/entitlements', { as: ada.token });
    expect(body.entitlements).toEqual([]);
  });

  test('201: a repeated request gets the same checkout; another plan gets another one for the same customer', async () => {
    const { body: first } = await start();
    expect((await start()).body).toEqual(first);
    const { body: other } = await start('solo');
    expect(other.checkout.id).not.toBe(first.checkout.id);
    expect(other.checkout.customer).toBe(first.checkout.customer);
  });

  test('201: ten concurrent requests get one checkout of one customer', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => start()));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.checkout))).size).toBe(1);
    expect(await customers()).toHaveLength(1);
  });

  test('201: a new checkout after an hour, or once the price has changed', async () => {
    const { db } = service.context;
    const { body: first } = await start();
    const own = db.updateTable('checkouts').where('account_id', '=', ada.accountId);
    await own.set({ created_at: new Date(Date.now() - 3_601_000) }).execute();
    const { body: second } = await start();
    expect(second.checkout.id).not.toBe(first.checkout.id);
    await own.set({ price: 'price_before' }).execute();
    expect((await start()).body.checkout.id).not.toBe(second.checkout.id);
  });

  test('201: a new checkout for a plan that was paid and has ended', async () => {
    const { body: first } = await start();
    expect((await pay(service, first.checkout.url)).status).toBe(303);
    await service.context.db
      .updateTable('entitlements')
      .set({ status: 'canceled' })
      .where('account_id', '=', ada.accountId)
      .execute();
    const { status, body } = await start();
    expect([status, body.checkout.id === first.checkout.id]).toEqual([201, false]);
  });

  test('201: another plan for a kind of caller ends the checkout that was open, which can be paid no more', async () => {
    const { url: former } = (await start('agent')).body.checkout;
    const { url: beside } = (await start('solo')).body.checkout;
    const { url: other } = (await start('studio')).body.checkout;
    for (const ended of [former, beside]) {
      expect((await fetch(service.url + new URL(ended).pathname)).status).toBe(404);
      expect((await pay(service, ended)).status).toBe(404);
    }
    expect((await pay(service, other)).status).toBe(303);
    expect(await activePlans()).toEqual(['studio']);
  });

  test('201: of concurrently requested tiers, only those for different callers can be paid', async () => {
    for (let round = 0; round < 4; round++) {
      ada = await signUp(service);
      const tiers = ['agent', 'studio', 'solo', 'studio', 'agent'];
      const answers = await Promise.all(tiers.map((tier) => start(tier)));
      expect(answers.map(({ status }) => status)).toEqual(tiers.map(() => 201));
      const urls = new Set(answers.map(({ body }) => body.checkout.url as string));
      const paid = await Promise.all([...urls].map((url) => pay(service, url)));
      expect(paid.some(({ status }) => status === 303)).toBe(true);
      expect([['studio'], ['agent', 'solo'], ['agent'], ['solo']]).toContainEqual(await activePlans());
    }
  });

  test('201: return addresses come from the configuration, never from the request', async () => {
    const asked = vi.spyOn(service.context.provider, 'createCheckout');
    const headers = { 'x-forwarded-host': 'evil.example' };
    await service.call('POST', '/api/checkout/tier', { as: ada.token, body: { plan_code: 'agent' }, headers });
    const [order] = asked.mock.calls[0] ?? [];
    const origin = service.context.publicUrl;
    expect([order?.successUrl, order?.cancelUrl].every((url) => url?.startsWith(`${origin}/`))).toBe(true);
  });
});

describe('refusals', () => {
  test('403 plan_already_active', async () => {
    await grant(service, ada, 'agent');
    const { status, body } = await start();
    expect([status, body.error.code]).toEqual([403, 'plan_already_active']);
  });

  test('403 plan_already_active: another plan for a kind of caller that a plan serves, which leads to the portal', async () => {
    await grant(service, ada, 'agent');
    const { status, body } = await start('studio');
    expect([status, body.error.code]).toEqual([403, 'plan_already_active']);
    expect(body.error.message).toBe('The account has the plan agent, which already serves API keys.');
    expect(body.error.action).toContain('POST /api/checkout/portal');
    expect((await start('solo')).status).toBe(201);
    await service.context.db.updateTable('entitlements').set({ status: 'canceled' }).execute();
    expect((await start('studio')).status).toBe(201);
  });

  test.each([
    ['paused', { status: 'paused' }, 'agent', 'Agent is paused', 'Resume or end it'],
    ['paused, its period over', { status: 'paused', endsIn: -100 }, 'studio', 'Agent is paused', 'Resume or end it'],
    ['overdue', { status: 'past_due' }, 'studio', 'you can order with it until', 'Pay or end it'],
    ['overdue, its period over', { status: 'past_due', endsIn: -100 }, 'agent', 'is overdue', 'Pay or end it'],
    ['not paid', { status: 'past_due', state: 'active' }, 'agent', 'Agent is not paid', 'Pay or end it'],
    ['stopped', { status: 'stopped', endsIn: -100 }, 'studio', 'because it is not paid', 'Pay or end it'],
    ['given away', { collection_paused: true }, 'agent', 'The payment for Agent is paused', 'Change or end it'],
    [
      'stopped by the studio',
      { collection_paused: true, endsIn: -100 },
      'studio',
      'because its payment is paused',
      'End it',
    ],
    [
      'ending',
      { ends_at: new Date('2998-05-06T12:30Z') },
      'agent',
      'ends on 6 May 2998 at 12:30 UTC',
      'Keep or end it',
    ],
  ] as const)('403 plan_already_active: a plan that is %s', async (_name, change, tier, reason, step) => {
    await grant(service, ada, 'agent');
    await setPlan(service, ada, 'agent', change);
    const { status: code, body } = await start(tier);
    expect([code, body.error.code]).toEqual([403, 'plan_already_active']);
    expect(body.error.message).toContain(reason);
    expect(body.error.action).toBe(`${step} with POST /api/checkout/portal.`);
    await setPlan(service, ada, 'agent', { status: 'canceled' });
    expect((await start(tier)).status).toBe(201);
  });

  test('201: once the date has come on which the plan ends, whether or not its event has arrived', async () => {
    await grant(service, ada, 'agent');
    await setPlan(service, ada, 'agent', { ends_at: new Date(Date.now() - 1_000) });
    expect((await start('agent')).status).toBe(201);
    await setPlan(service, ada, 'agent', { status: 'past_due' });
    expect((await start('studio')).status).toBe(201);
  });

  test('403: not for a member, an API key, or a cookie without the token', async () => {
    const codes = [];
    for (const as of [await addMember(service, ada, 'member'), await makeKey(service, ada), { cookie: ada.cookie }])
      codes.push((await start('agent', as)).body.error.code);
    expect(codes).toEqual(['role_required', 'credential_not_accepted', 'csrf_token_invalid']);
  });

  test.each(['platinum', '', 'constructor', 5])('422 invalid_request: the plan %j', async (tier) => {
    const { status, body } = await start(tier);
    expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'invalid_request', '/plan_code']);
  });

  test('422 invalid_request: an unknown plan, with the known ones', async () => {
    expect((await start('platinum')).body.error.message).toContain('solo, agent, studio');
  });

  test('503 checkout_unavailable: a price that is not verified closes every plan', async () => {
    await service.context.db
      .updateTable('plan_prices')
      .set({ verified: false, reason: 'the price is not active' })
      .where('code', '=', 'solo')
      .execute();
    const { status, body, headers } = await start();
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'checkout_unavailable', '30']);
    expect(await customers()).toEqual([]);
  });

  test.each(['createCustomer', 'createCheckout'] as const)('503 checkout_unavailable: %s fails', async (asked) => {
    vi.spyOn(service.context.provider, asked).mockRejectedValue(new Error('connect ECONNREFUSED'));
    const { status, body } = await start();
    expect([status, body.error.code]).toEqual([503, 'checkout_unavailable']);
    vi.restoreAllMocks();
    expect((await start()).status).toBe(201);
  });

  test('503 checkout_unavailable: an open checkout cannot be ended, so there is none beside it', async () => {
    const { url } = (await start('agent')).body.checkout;
    vi.spyOn(service.context.provider, 'endCheckout').mockRejectedValue(new Error('connect ECONNREFUSED'));
    expect((await start('studio')).body.error.code).toBe('checkout_unavailable');
    vi.restoreAllMocks();
    const { body } = await start('studio');
    expect((await pay(service, url)).status).toBe(404);
    expect((await pay(service, body.checkout.url)).status).toBe(303);
    expect(await activePlans()).toEqual(['studio']);
  });
});
