import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openStripeEmulator, type StripeEmulator } from '../../scripts/stripe-emulator.ts';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import { deadlines } from '../../server/lib/deadlines.ts';
import { DeliveryEngine } from '../../server/webhooks/delivery-engine.ts';
import { complete, openTestStorage, presign, put, someBytes, type TestStorage } from '../support/files.ts';
import { createService, type Got, type Service } from '../support/harness.ts';
import { openSession, readSession, say } from '../support/intake.ts';
import { newCustomer, newJob } from '../support/jobs.ts';
import { signUp } from '../support/people.ts';
import { createProxy, type Proxy } from '../support/proxy.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { slack } from './load.ts';

/**
 * Each thing that the service asks, frozen: connections stand and are accepted, and no byte comes back. Postgres is in
 * `database.test.ts`, Redis in `test/redis/frozen.test.ts`. All run at the same time, so that one cannot hold up another.
 */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

const bytes = someBytes();
const shipped = fileURLToPath(new URL('../../catalog', import.meta.url));

/** Its plans come by the sandbox; one pays by Stripe, and one sends real mail. */
let service: Service;
let payer: Service;
let mailer: Service;
let storage: TestStorage;
let mailbox: Mailbox;
let stripe: StripeEmulator;
let receiver: Receiver;
let proxies: Record<'mail' | 'stripe' | 'model' | 'receiver', Proxy>;
let engine: DeliveryEngine;

beforeAll(async () => {
  storage = await openTestStorage('s3');
  mailbox = await openMailbox();
  stripe = await openStripeEmulator([...loadCatalog(shipped).plans.values()]);
  receiver = await createReceiver();
  proxies = {
    mail: await createProxy(mailbox.url),
    stripe: await createProxy(stripe.url),
    model: await createProxy(stripe.url),
    receiver: await createProxy(receiver.url),
  };
  service = await createService({
    ...storage.env,
    INTAKE_MODEL_URL: `${proxies.model.url}/v1`,
    INTAKE_MODEL: 'frozen',
    WEBHOOK_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'silent',
  });
  payer = await createService({
    STRIPE_API_URL: proxies.stripe.url,
    STRIPE_SECRET_KEY: 'sk_test_emulated',
    STRIPE_WEBHOOK_SECRET: stripe.secret,
    LOG_LEVEL: 'silent',
  });
  mailer = await createService({ SMTP_URL: proxies.mail.url.replace('http:', 'smtp:'), LOG_LEVEL: 'silent' });
  engine = new DeliveryEngine(service.context);
  await verifyPrices(payer.context);
});
afterAll(async () => {
  for (const proxy of Object.values(proxies)) await proxy.close();
  await engine.stop();
  await Promise.all([service, payer, mailer].map((one) => one.close()));
  await receiver.close();
  await stripe.close();
  await mailbox.close();
  await storage.close();
});

/** What the service answers while a dependency is frozen, in how many milliseconds. `/healthz` is asked meanwhile. */
async function measure({ url }: Service, run: () => Promise<Got>): Promise<Got & { ms: number }> {
  const began = performance.now();
  const asked = new AbortController();
  const health = watchHealth(url, asked.signal);
  const answer = await run().finally(() => asked.abort());
  expect(await health).toEqual(new Set([200]));
  return { ...answer, ms: performance.now() - began };
}

async function watchHealth(url: string, ended: AbortSignal): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (; !ended.aborted; await wait(100)) {
    const began = performance.now();
    statuses.add((await fetch(`${url}/healthz`)).status);
    expect(performance.now() - began).toBeLessThan(500 + slack());
  }
  return statuses;
}

test.concurrent('S3: 503 for what copies or deletes, within its deadline; uploads are signed; afterwards all works', async () => {
  const { key } = await newCustomer(service, 'studio');
  const upload = async () => {
    const { body } = await presign(service, key, bytes);
    expect((await put(service, body.upload, bytes)).status).toBe(200);
    return body.file.id as string;
  };
  const [first, second] = [await upload(), await upload()];
  expect((await complete(service, key, second)).status).toBe(200);
  const remove = () => service.call('DELETE', `/api/v1/files/${second}`, { as: key });
  const status = async (id: string) => (await service.call('GET', `/api/v1/files/${id}`, { as: key })).body.file.status;

  storage.signal('SIGSTOP');
  try {
    const answers = await Promise.all([
      measure(service, () => complete(service, key, first)),
      measure(service, remove),
    ]);
    for (const { status: refused, body, headers, ms } of answers) {
      expect([refused, body.error.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '5']);
      expect(ms).toBeLessThan(deadlines.storage.answer + 500 + slack());
    }
    expect(await status(first)).toBe('pending_upload');
    expect(await status(second)).toBe('deleted'); // which is marked before the bytes go
    expect((await presign(service, key, bytes)).status).toBe(201);
  } finally {
    storage.signal('SIGCONT');
  }
  expect((await complete(service, key, first)).status).toBe(200);
  expect((await remove()).status).toBe(200);
});

test.concurrent('the mail server: sign-ups answer as ever, and their mails come once it is back', async () => {
  proxies.mail.freeze();
  const began = performance.now();
  const body = { name: 'Ada', email: 'frozen-mail@example.com', password: 'correct horse battery' };
  const { status, ms } = await measure(mailer, async () => {
    // Not `service.call`, which waits until mails are out.
    const answer = await fetch(`${mailer.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  });
  expect(status).toBe(200);
  expect(ms).toBeLessThan(deadlines.request.answer + slack());
  const mails = () =>
    mailer.context.db.selectFrom('mails').select('attempts').where('kind', '=', 'verify_email').execute();
  const attempts = async () => (await mails()).map((mail) => mail.attempts);
  expect(await attempts()).toEqual([1]);
  await mailer.context.mailSender.idle();
  expect(performance.now() - began).toBeLessThan(deadlines.mail.connect + deadlines.mail.greet + 3_000 + slack());
  expect(await attempts()).toEqual([1]); // put off, and not lost
  proxies.mail.thaw();
  await mailer.context.db.updateTable('mails').set({ due_at: new Date() }).execute();
  mailer.context.mailSender.wake();
  await vi.waitFor(() => expect(mailbox.emails.filter((mail) => mail.includes(body.email))).toHaveLength(1), {
    timeout: 90_000,
  });
});

test.concurrent('Stripe: checkout and portal answer 503 in time, no price loses its check, and they open afterwards', async () => {
  const [ada, bob] = [await signUp(payer), await signUp(payer)];
  const checkout = (as: string) => payer.call('POST', '/api/checkout/tier', { as, body: { plan_code: 'agent' } });
  const portal = () => payer.call('POST', '/api/checkout/portal', { as: bob.token });
  expect((await checkout(bob.token)).status).toBe(201);

  proxies.stripe.freeze();
  const began = performance.now();
  const prices = verifyPrices(payer.context).then(({ body }) => ({ body, ms: performance.now() - began }));
  for (const { status, body, ms } of await Promise.all([
    measure(payer, () => checkout(ada.token)),
    measure(payer, portal),
  ])) {
    expect([status, body.error.code]).toEqual([503, 'checkout_unavailable']);
    expect(ms).toBeLessThan(deadlines.provider.checkout + 500 + slack());
  }
  const checked = await prices;
  expect(checked.body).toMatchObject({ checkout_available: true });
  expect(checked.ms).toBeLessThan(deadlines.provider.price + 1_000 + slack());
  const { db } = payer.context;
  const of = (table: 'checkouts' | 'provider_customers') =>
    db.selectFrom(table).select('account_id').where('account_id', '=', ada.accountId).execute();
  expect([await of('checkouts'), await of('provider_customers')]).toEqual([[], []]);

  proxies.stripe.thaw();
  expect((await checkout(ada.token)).status).toBe(201);
  expect((await portal()).status).toBe(201);
});

test.concurrent('the intake model: the rules answer in its place, within its deadline', async () => {
  const { key } = await newCustomer(service, 'studio');
  const { id } = await openSession(service, key, { service_family: 'design', service_type: 'logo' });
  proxies.model.freeze();
  const { status, body, ms } = await measure(service, () => say(service, key, id, 'Brand name: Rise Bakery'));
  proxies.model.thaw();
  expect([status, body.message.understood]).toEqual([201, [{ requirement: 'Brand name', answer: 'Rise Bakery' }]]);
  expect(ms).toBeLessThan(deadlines.model.answer + 500 + slack());
  expect((await readSession(service, key, id)).body.intake_session.messages).toHaveLength(3);
});

test.concurrent('a webhook receiver: jobs are created as ever, and the delivery comes again afterwards', async () => {
  const { person, key } = await newCustomer(service, 'studio');
  const url = `${proxies.receiver.url}/hook`;
  const made = await service.call('POST', '/api/v1/webhook-endpoints', { as: person.token, body: { url } });
  const endpoint = made.body.webhook_endpoint.id as string;
  const deliveries = async () =>
    (await service.call('GET', `/api/v1/webhook-endpoints/${endpoint}/deliveries`, { as: person.token })).body
      .webhook_deliveries;
  proxies.receiver.freeze();
  const began = performance.now();
  const job = await newJob(service, key);
  expect(performance.now() - began).toBeLessThan(1_000 + slack());
  const firstAttempt = async () => {
    const [delivery] = await deliveries();
    const read = await service.call('GET', `/api/v1/webhook-deliveries/${delivery.id}`, { as: person.token });
    return read.body.webhook_delivery.attempts[0];
  };
  await vi.waitFor(async () => expect(await firstAttempt()).toMatchObject({ error: 'no answer within 15 seconds' }), {
    timeout: deadlines.webhook.answer + 5_000,
    interval: 500,
  });
  expect(receiver.received.filter(({ event }) => event.job?.id === job)).toEqual([]);
  proxies.receiver.thaw();
  await service.context.db.updateTable('webhook_deliveries').set({ due_at: new Date() }).execute();
  await vi.waitFor(() => expect(receiver.received.some(({ event }) => event.job?.id === job)).toBe(true), {
    timeout: 90_000,
  });
});
