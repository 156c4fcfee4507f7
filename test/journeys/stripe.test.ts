import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loseCustomer } from '../../server/billing/customer.ts';
import { endReplacedCheckouts } from '../../server/billing/end-replaced-checkouts.ts';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import type { Plan } from '../../server/catalog/catalog.ts';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { showId } from '../../server/lib/id.ts';
import { createJob } from '../support/jobs.ts';
import { makeOperator, signUp, type TestPerson } from '../support/people.ts';
import { seconds } from '../support/plans.ts';
import { createService, type Service } from '../support/harness.ts';
import { waitAsInProduction, waitLonger } from '../support/patience.ts';
import { type Fault, openStripeEmulator, type StripeEmulator } from '../../scripts/stripe-emulator.ts';
import type { EventChange } from '../support/stripe-events.ts';

const shipped = fileURLToPath(new URL('../../catalog', import.meta.url));
const plans: readonly Plan[] = [...loadCatalog(shipped).plans.values()];
const secretKey = 'sk_test_emulated';
const publicUrl = 'http://localhost:3000';

let emulator: StripeEmulator;
let service: Service;
let ada: TestPerson;
/** The official SDK, looking into the emulator past the service and the proxy. */
let inside: Stripe;

const openWithStripe = (env: Record<string, string> = {}) =>
  createService({
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_API_URL: emulator.url,
    STRIPE_WEBHOOK_SECRET: emulator.secret,
    LOG_LEVEL: 'fatal',
    ...env,
  });

beforeAll(async () => {
  emulator = await openStripeEmulator(plans);
  service = await openWithStripe();
  emulator.webhookUrl = `${service.url}/api/stripe/webhook`;
  const { hostname, port } = new URL(emulator.bareUrl);
  inside = new Stripe(secretKey, { host: hostname, port, protocol: 'http' });
});
afterAll(async () => {
  await service.close();
  await emulator.close();
});
beforeEach(async () => {
  await verifyPrices(service.context);
  ada = await signUp(service);
});
afterEach(() => void (emulator.fault = null));

const start = (tier = 'agent', { token } = ada) =>
  service.call('POST', '/api/checkout/tier', { as: token, body: { plan_code: tier } });
const entitlements = async () =>
  (await service.call('GET', '/api/v1/entitlements', { as: ada.token })).body.entitlements;
const bound = () =>
  service.context.db.selectFrom('provider_customers').selectAll().where('account_id', '=', ada.accountId).execute();
/** Customers that the emulator has for Ada's account. */
const customersInside = async () => {
  const { data } = await inside.customers.list({ limit: 100 });
  return data.filter(({ metadata }) => metadata.service_account_id === showId('acct', ada.accountId));
};
/** Pays on the emulator's own page; where it sends the browser then. */
const payAt = async (url: string) => {
  const answer = await fetch(`${url}/complete`, { method: 'POST', redirect: 'manual' });
  return [answer.status, answer.headers.get('location')];
};

test('the portal is one of the customer that the checkout made; one that Stripe no longer has leads to none', async () => {
  await start();
  const [customer] = await customersInside();
  const open = () => service.call('POST', '/api/checkout/portal', { as: ada.token });
  const { status, body } = await open();
  expect([status, body.portal.url]).toEqual([201, `${emulator.bareUrl}/portal/${customer?.id}`]);
  const left = Date.parse(body.portal.expires_at) - Date.now();
  expect(left > 250_000 && left <= 300_000).toBe(true);
  await inside.customers.del(customer?.id ?? '');
  expect((await open()).body.error.code).toBe('entitlement_required');
});

describe('prices', () => {
  test('are verified against those of another server, through the official SDK', async () => {
    const { body } = await verifyPrices(service.context);
    expect(body).toMatchObject({ checkout_available: true, livemode: false });
  });

  test('a price that is paid once is none', async () => {
    const bare = await openWithStripe({ STRIPE_API_URL: emulator.bareUrl });
    const { body } = await verifyPrices(bare.context);
    await bare.close();
    expect(body.prices.map(({ reason }) => reason)).toEqual(
      plans.map(() => 'at the provider interval is null, not month'),
    );
  });

  test('with a wrong amount in plans.yaml checkout answers 503 and tells the operator, nobody else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-catalog-'));
    cpSync(shipped, folder, { recursive: true });
    const file = join(folder, 'plans.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('unit_amount: 14900', 'unit_amount: 14800'));
    const wrong = await openWithStripe({ CATALOG_DIR: folder });
    await verifyPrices(wrong.context);
    const operator = await makeOperator(wrong);
    const customer = await signUp(wrong);
    const answers = [];
    for (const { token } of [customer, operator])
      answers.push(await wrong.call('POST', '/api/checkout/tier', { as: token, body: { plan_code: 'solo' } }));
    const { body } = await wrong.call('GET', '/api/operator/v1/prices', { as: operator.token });
    await wrong.close();
    rmSync(folder, { recursive: true });
    expect(answers.map(({ status, body: { error } }) => [status, error.code, error.details])).toEqual([
      [503, 'checkout_unavailable', undefined],
      [
        503,
        'checkout_unavailable',
        [{ location: 'agent', message: 'at the provider unit_amount is 14900, not 14800' }],
      ],
    ]);
    expect(body.checkout_available).toBe(false);
    expect(body.prices.map(({ verified }: { verified: boolean }) => verified)).toEqual([true, false, true]);
  });
});

describe('from checkout to an entitlement', () => {
  test('through the emulator’s page; only the signed event of the subscription grants', async () => {
    const { status, body } = await start('agent');
    expect(status).toBe(201);
    const { id, url, customer } = body.checkout;
    expect(await customersInside()).toMatchObject([{ id: customer }]);
    expect(await inside.checkout.sessions.retrieve(id)).toMatchObject({
      mode: 'subscription',
      customer,
      success_url: `${publicUrl}/plans?checkout=success`,
      cancel_url: `${publicUrl}/plans?checkout=cancel`,
    });
    expect(await (await fetch(url)).text()).toContain('Pay $149.00');

    emulator.deliveries.length = 0;
    expect(await payAt(url)).toEqual([302, `${publicUrl}/plans?checkout=success`]);
    // Its own events have no id, so they cannot be recorded; that they were read at all shows that the signature held.
    expect(emulator.deliveries).toEqual(['checkout.session.completed 400 invalid_request']);
    expect(await entitlements()).toEqual([]);

    const answer = await emulator.deliver(emulator.event(id));
    expect(await answer.json()).toEqual({ received: true, status: 'processed' });
    expect(await entitlements()).toMatchObject([{ plan_code: 'agent', status: 'active', quota: 100 }]);
    expect((await start('agent')).body.error.code).toBe('plan_already_active');
  });

  test.each(['before 2025-03-31', 'since 2025-03-31'] as const)(
    'in the shape of the API %s: begun, renewed, changed, past due, ended',
    async (shape) => {
      const { body } = await start('solo');
      const now = seconds(Date.now());
      const day = 86_400;
      const first = { start: now - day, end: now + 30 * day };
      const second = { start: now, end: now + 31 * day };
      const third = { start: second.end, end: second.end + 30 * day };
      const plan = plans.find(({ code }) => code === 'studio')!;
      const holdsAfter = async (change: EventChange) => {
        await emulator.deliver(emulator.event(body.checkout.id, { type: 'updated', shape, ...change }));
        const [{ plan_code, status, used, period }] = await entitlements();
        return { plan_code, status, used, period: { start: seconds(period.start), end: seconds(period.end) } };
      };
      const begun = await holdsAfter({ type: 'created', created: now, period: first });
      expect(begun).toEqual({ plan_code: 'solo', status: 'active', used: 0, period: first });
      expect((await createJob(service, ada.token)).status).toBe(201);
      const changed = await holdsAfter({ created: now + 1, period: first, plan });
      expect(changed).toEqual({ plan_code: 'studio', status: 'active', used: 1, period: first });
      const renewed = await holdsAfter({ created: now + 2, period: second, plan });
      expect(renewed).toEqual({ plan_code: 'studio', status: 'active', used: 0, period: second });
      const unpaid = await holdsAfter({ created: now + 3, period: third, plan, status: 'past_due' });
      expect(unpaid).toEqual({ ...renewed, status: 'past_due' });
      const ended = await holdsAfter({ type: 'deleted', created: now + 4, period: third, plan, status: 'canceled' });
      expect(ended).toEqual({ ...renewed, status: 'canceled' });
    },
  );

  test('a session of an hour ago is not handed out again', async () => {
    const { body: first } = await start();
    expect((await start()).body).toEqual(first);
    await service.context.db
      .updateTable('checkouts')
      .set({ created_at: new Date(Date.now() - 3_601_000) })
      .where('account_id', '=', ada.accountId)
      .execute();
    expect((await start()).body.checkout.id).not.toBe(first.checkout.id);
    expect((await inside.checkout.sessions.retrieve(first.checkout.id)).status).toBe('expired');
  });

  test('while its first payment waits for 3-D Secure, a session stays the one to pay, or ends for another plan', async () => {
    const now = seconds(Date.now());
    const { body: first } = await start('agent');
    const deliver = (change: EventChange) => emulator.deliver(emulator.event(first.checkout.id, change));
    await deliver({ type: 'created', created: now, status: 'incomplete' });
    expect(await entitlements()).toEqual([]);
    expect((await start('agent')).body).toEqual(first);
    await service.context.db
      .updateTable('checkouts')
      .set({ created_at: new Date(Date.now() - 3_601_000) })
      .where('account_id', '=', ada.accountId)
      .execute();
    const { status, body: later } = await start('agent');
    expect([status, later.checkout.id === first.checkout.id]).toEqual([201, false]);
    expect((await inside.checkout.sessions.retrieve(first.checkout.id)).status).toBe('expired');
    const { body: studio } = await start('studio');
    expect((await inside.checkout.sessions.retrieve(later.checkout.id)).status).toBe('expired');
    expect((await inside.checkout.sessions.retrieve(studio.checkout.id)).status).toBe('open');
    await deliver({ type: 'updated', created: now + 1, status: 'incomplete_expired' });
    const { closing } = (await service.call('GET', '/api/auth/account/closing', { as: ada.token })).body;
    expect([await entitlements(), closing.possible]).toEqual([[], true]);
  });

  test('the portal opens for a plan that has stopped, and for its invoices once it has ended', async () => {
    const now = seconds(Date.now());
    const { body } = await start('agent');
    const deliver = (change: EventChange) => emulator.deliver(emulator.event(body.checkout.id, change));
    await deliver({ type: 'created', created: now });
    const steps = ['past_due', 'unpaid', 'paused', 'canceled'] as const;
    for (const [place, status] of steps.entries()) {
      await deliver({ type: status === 'canceled' ? 'deleted' : 'updated', created: now + 1 + place, status });
      expect((await service.call('POST', '/api/checkout/portal', { as: ada.token })).status, status).toBe(201);
      expect((await start('agent')).status, status).toBe(status === 'canceled' ? 201 : 403);
    }
  });

  test('another plan for a kind of caller ends the session that was open, and comes back as a new one', async () => {
    const { body: agent } = await start('agent');
    const { body: studio } = await start('studio');
    const statuses = async () => {
      const { data } = await inside.checkout.sessions.list({ customer: agent.checkout.customer });
      return Object.fromEntries(data.map(({ id, status }) => [id, status]));
    };
    expect(await statuses()).toEqual({ [agent.checkout.id]: 'expired', [studio.checkout.id]: 'open' });
    const { body: again } = await start('agent');
    expect(await statuses()).toEqual({
      [agent.checkout.id]: 'expired',
      [studio.checkout.id]: 'expired',
      [again.checkout.id]: 'open',
    });
  });

  test('of tiers asked for at once one session of a kind of caller stays open', async () => {
    for (let round = 0; round < 4; round++) {
      ada = await signUp(service);
      const tiers = Array.from({ length: 8 }, (_, index) => (index % 2 ? 'studio' : 'agent'));
      const answers = await Promise.all(tiers.map((tier) => start(tier)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      const { data } = await inside.checkout.sessions.list({ customer: answers[0]?.body.checkout.customer });
      expect(data.filter(({ status }) => status === 'open')).toHaveLength(1);
      const { id } = (await start('agent')).body.checkout;
      expect((await inside.checkout.sessions.retrieve(id)).status).toBe('open');
    }
  });

  test('a session that was paid a moment ago, whose event is on its way, allows no other one', async () => {
    const { body } = await start('agent');
    await payAt(body.checkout.url);
    const { status, body: refused } = await start('studio');
    expect([status, refused.error.code, refused.error.message]).toEqual([
      403,
      'plan_already_active',
      'The payment for the plan agent is under way.',
    ]);
    expect(await (await emulator.deliver(emulator.event(body.checkout.id))).json()).toMatchObject({
      status: 'processed',
    });
    expect((await start('studio')).body.error.code).toBe('plan_already_active');
  });

  test('an open session ends once its kind of caller is served by a plan that was changed at the provider', async () => {
    const now = seconds(Date.now());
    const { body: solo } = await start('solo');
    await emulator.deliver(emulator.event(solo.checkout.id, { created: now }));
    const { body: agent } = await start('agent');
    const end = () => endReplacedCheckouts(service.context, new AbortController().signal);
    const status = async () => (await inside.checkout.sessions.retrieve(agent.checkout.id)).status;
    await end();
    expect(await status()).toBe('open');
    const plan = plans.find(({ code }) => code === 'studio')!;
    await emulator.deliver(emulator.event(solo.checkout.id, { type: 'updated', created: now + 1, plan }));
    emulator.fault = 'failing';
    await expect(end()).rejects.toThrow('No.');
    emulator.fault = null;
    await end();
    expect(await status()).toBe('expired');
  });

  test('a plan that was begun and paid while the checkout of another one is made leaves none of the other', async () => {
    const { provider } = service.context;
    const create = provider.createCheckout.bind(provider);
    vi.spyOn(provider, 'createCheckout').mockImplementationOnce(async (order) => {
      const { body } = await start('agent');
      await payAt(body.checkout.url);
      await emulator.deliver(emulator.event(body.checkout.id));
      return create(order);
    });
    const { status, body: refused } = await start('studio');
    vi.restoreAllMocks();
    expect([status, refused.error.code]).toEqual([403, 'plan_already_active']);
  });
});

describe('one customer for an account', () => {
  test('ten at once: one customer, one session', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => start()));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.checkout?.id}`)).size).toBe(1);
    expect(await customersInside()).toHaveLength(1);
    expect(await bound()).toHaveLength(1);
  });

  test('the database fails after the provider made it: the next try binds the same one', async () => {
    const { db } = service.context;
    await sql`create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'no space left' using errcode = '53100'; end $$`.execute(db);
    await sql`create trigger full_disk before insert on provider_customers
      for each row execute function full_disk()`.execute(db);
    expect((await start()).status).toBe(503);
    await sql`drop trigger full_disk on provider_customers`.execute(db);
    expect(await bound()).toEqual([]);
    const [made] = await customersInside();
    expect((await start()).body.checkout.customer).toBe(made?.id);
    expect(await customersInside()).toHaveLength(1);
  });

  test('one that was deleted at the provider is replaced; what it paid for can still end', async () => {
    const { body } = await start('solo');
    const now = seconds(Date.now());
    await emulator.deliver(emulator.event(body.checkout.id, { created: now }));
    await inside.customers.del(body.checkout.customer);
    const answers = await Promise.all([start('agent'), start('agent'), start('agent')]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [next] = new Set(answers.map((answer) => answer.body.checkout.customer));
    expect(next).not.toBe(body.checkout.customer);
    expect(await customersInside()).toMatchObject([{ id: next }]);
    const ended = emulator.event(body.checkout.id, { type: 'deleted', status: 'canceled', created: now + 1 });
    expect(await (await emulator.deliver(ended)).json()).toMatchObject({ status: 'processed' });
    expect(await entitlements()).toMatchObject([{ plan_code: 'solo', status: 'canceled' }]);
  });

  test('one that another request has just found deleted is replaced as well', async () => {
    const { body } = await start('solo');
    await inside.customers.del(body.checkout.customer);
    await loseCustomer(service.context.db, body.checkout.customer);
    const { status, body: next } = await start('agent');
    expect([status, next.checkout.customer === body.checkout.customer]).toEqual([201, false]);
    expect(await customersInside()).toMatchObject([{ id: next.checkout.customer }]);
  });

  test('what the sandbox made means nothing to Stripe, nor does its open checkout', async () => {
    const sandbox = await createService({ LOG_LEVEL: 'fatal' }, { databaseUrl: service.databaseUrl });
    await verifyPrices(sandbox.context);
    const { body: before } = await sandbox.call('POST', '/api/checkout/tier', {
      as: ada.token,
      body: { plan_code: 'agent' },
    });
    await sandbox.close();
    expect(before.checkout.url).toContain('/sandbox/');
    await verifyPrices(service.context);
    const { status, body } = await start('agent');
    expect([status, body.checkout.url.startsWith(emulator.bareUrl)]).toEqual([201, true]);
  });
});

describe('when Stripe fails', () => {
  beforeAll(waitAsInProduction);
  afterAll(waitLonger);

  test.each<Fault>(['silent', 'failing', 'breaking'])('%s: 503, and there is no portal', async (fault) => {
    await start();
    emulator.fault = fault;
    const { status, body } = await service.call('POST', '/api/checkout/portal', { as: ada.token });
    expect([status, body.error.code]).toEqual([503, 'checkout_unavailable']);
  });

  test.each<Fault>(['silent', 'dripping', 'refusing', 'failing', 'breaking'])(
    '%s: 503, nothing half bound, and the next try works',
    async (fault) => {
      emulator.fault = fault;
      const began = Date.now();
      const { status, body } = await start();
      expect([status, body.error.code]).toEqual([503, 'checkout_unavailable']);
      expect(Date.now() - began).toBeLessThan(20_000);
      expect(await bound()).toEqual([]);
      expect(await customersInside()).toEqual([]);
      emulator.fault = null;
      expect((await start()).status).toBe(201);
    },
  );

  test('after the customer was made: it stays bound, and the next try goes on with it', async () => {
    vi.spyOn(service.context.provider, 'createCheckout').mockRejectedValueOnce(new Error('ECONNRESET'));
    expect((await start()).body.error.code).toBe('checkout_unavailable');
    const [{ customer } = { customer: '' }] = await bound();
    expect((await start()).body.checkout.customer).toBe(customer);
  });

  test('a failure that it keeps under the key does not close checkout for a day', async () => {
    emulator.fault = 'failing once';
    expect((await start()).status).toBe(201);
  });

  test('nothing listens there', async () => {
    const nowhere = await openWithStripe({ STRIPE_API_URL: 'http://127.0.0.1:1' });
    const { body } = await verifyPrices(nowhere.context);
    await nowhere.close();
    expect(body.prices.map(({ reason }) => reason)).toEqual(plans.map(() => 'the payment provider did not answer'));
  });

  test('events, jobs and readings go on', async () => {
    const { body } = await start('studio');
    emulator.fault = 'silent';
    const granted = await emulator.deliver(emulator.event(body.checkout.id));
    expect(await granted.json()).toMatchObject({ status: 'processed' });
    expect((await createJob(service, ada.token)).status).toBe(201);
    expect((await service.call('GET', '/api/v1/plans')).status).toBe(200);
  });
});

test('where its port is taken, the emulator says how to choose another one', async () => {
  const neighbour = createServer().listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  const { port } = neighbour.address() as AddressInfo;
  const options = ['scripts/stripe-emulator.ts', '--port', String(port)];
  const { stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  neighbour.close();
  const action = 'Choose its port like this: npm run stripe:emulator -- --port 4010\n';
  expect([status, stderr]).toEqual([1, `listen EADDRINUSE: address already in use 127.0.0.1:${port}. ${action}`]);
});

test('neither the key nor anything of the sandbox is shown', async () => {
  const operator = await makeOperator(service);
  emulator.fault = 'refusing';
  const answers = [
    await start(),
    await service.call('POST', '/api/operator/v1/prices/verify', { as: operator.token }),
    await service.call('GET', '/metrics'),
  ];
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(secretKey);
  expect((await service.call('GET', '/sandbox/checkout/cs_sandbox_1')).body.error.code).toBe('not_found');
});
