import { setTimeout as wait } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { makeOperator, type TestPerson } from '../../test/support/people.ts';
import { createApp } from '../app.ts';
import { createLog } from '../lib/log.ts';
import { readWebhookHealth, type WebhookHealth } from './webhook-health.ts';
import { WebhookSignatures } from './webhook-signatures.ts';

const path = '/api/stripe/webhook';
const first = 'whsec_of_the_endpoint';
const second = 'whsec_of_before';
const env = { STRIPE_WEBHOOK_SECRET: `${first},${second}`, LOG_LEVEL: 'silent' };

let service: Service;
/** Another process of the same installation. */
let other: Service;
let operator: TestPerson;
// Of its own: there is one row for the whole installation.
beforeAll(async () => {
  service = await createService(env);
  other = await createService(env, { databaseUrl: service.databaseUrl });
  operator = await makeOperator(service);
  for (const statement of [
    'create sequence signature_writes',
    `create function count_write() returns trigger language plpgsql as $$
      begin perform nextval('signature_writes'); return null; end $$`,
    `create trigger count_write after insert or update on webhook_signatures
      for each row execute function count_write()`,
  ])
    await sql.raw(statement).execute(service.context.db);
});
afterAll(async () => {
  await other.close();
  await service.close();
});
beforeEach(async () => {
  await settled();
  await sql`delete from webhook_signatures`.execute(service.context.db);
});

type Signing = { secret?: string; seconds?: number; livemode?: boolean; to?: Service };

/** As the provider does, by its own SDK. */
function signed({ secret = first, seconds = 0, livemode = false }: Signing) {
  const raw = JSON.stringify({ id: `evt_${randomUUID()}`, type: 'customer.created', livemode });
  const timestamp = Math.floor(Date.now() / 1000) + seconds;
  return { raw, header: Stripe.webhooks.generateTestHeaderString({ payload: raw, secret, timestamp }) };
}

async function send(signing: Signing = {}): Promise<number> {
  const { raw, header } = signed(signing);
  return post(raw, header, signing.to);
}

async function post(raw: string, header: string | null, to = service): Promise<number> {
  const headers: Record<string, string> = header === null ? {} : { 'stripe-signature': header };
  return (await to.call('POST', path, { raw, headers })).status;
}

const health = () => readWebhookHealth(service.context.db);
const writes = async () => {
  const { rows } = await sql<{ writes: string }>`select last_value as writes from signature_writes`.execute(
    service.context.db,
  );
  return Number(rows[0]?.writes);
};

/** Once nothing waits to be written. */
async function settled(): Promise<WebhookHealth> {
  await Promise.all([service, other].map(({ context }) => context.signatures.writeNow()));
  return health();
}

test('a post that no secret matches is counted until one is accepted', async () => {
  expect(await health()).toMatchObject({ lastGood: null, lastBad: null, refusedSinceGood: 0, cause: null });
  const began = Date.now();
  for (let n = 0; n < 3; n++) expect(await send({ secret: 'whsec_wrong' })).toBe(400);
  const refused = await settled();
  expect(refused).toMatchObject({ lastGood: null, refusedSinceGood: 3, cause: 'secret', isRefusing: true });
  expect(refused.refusedFirstAt!.getTime()).toBeGreaterThan(began - 1_000);
  expect(refused.lastBad!.getTime()).toBeGreaterThanOrEqual(refused.refusedFirstAt!.getTime());
  expect(await send()).toBe(200);
  const accepted = await settled();
  expect(accepted).toMatchObject({ refusedSinceGood: 0, refusedFirstAt: null, cause: null, isRefusing: false });
  expect(accepted.lastBad).toEqual(refused.lastBad);
  expect(accepted.lastGood!.getTime()).toBeGreaterThan(accepted.lastBad!.getTime());
});

test('the order within a second counts: refused, accepted, refused twice', async () => {
  const secret = 'whsec_wrong';
  await send({ secret });
  await send();
  await send({ secret });
  await send({ secret });
  expect(await settled()).toMatchObject({ refusedSinceGood: 2, cause: 'secret' });
  await send();
  expect(await settled()).toMatchObject({ refusedSinceGood: 0 });
});

test('two processes count together, and an event that either accepts ends it for both', async () => {
  const secret = 'whsec_wrong';
  await Promise.all([send({ secret }), send({ secret, to: other }), send({ secret, to: other })]);
  expect(await settled()).toMatchObject({ refusedSinceGood: 3 });
  await wait(200); // the clocks of two processes differ by milliseconds
  await send({ to: other });
  expect(await settled()).toMatchObject({ refusedSinceGood: 0, lastGood: expect.any(Date) });
  await wait(200);
  await send({ secret });
  expect(await settled()).toMatchObject({ refusedSinceGood: 1 });
});

test('refused posts before and after what another process accepted count as one, in whichever order they are written', async () => {
  const { context } = service;
  const noting = () => new WebhookSignatures({ ...context, publicUrl: '' });
  for (const writesFirst of ['refusing', 'accepting']) {
    await sql`delete from webhook_signatures`.execute(context.db);
    const [refusing, accepting] = [noting(), noting()];
    const refuse = () => refusing.refused({ outcome: 'unmatched' });
    const accept = () => accepting.accepted({ byFirst: true }, false);
    refuse();
    accept();
    await Promise.all([refusing.writeNow(), accepting.writeNow()]); // now nothing is written for a second
    for (const note of [refuse, accept, refuse]) {
      note();
      await wait(50);
    }
    const writers = writesFirst === 'refusing' ? [refusing, accepting] : [accepting, refusing];
    for (const writer of writers) await writer.stop();
    expect([writesFirst, (await health()).refusedSinceGood]).toEqual([writesFirst, 1]);
  }
});

test('a post without a signature of the right form says nothing about the secret', async () => {
  const { raw } = signed({});
  for (const header of [null, '', 'garbage', 't=1,v0=abc', `t=${Date.now()}`])
    expect(await post(raw, header)).toBe(400);
  expect(await settled()).toMatchObject({ lastBad: null, refusedSinceGood: 0 });
  const { body } = await service.call('GET', '/metrics');
  expect(body).toContain('atelier_provider_signatures_total{outcome="unsigned"} 5');
});

test('the clock: signed with the secret, at another time; the answer says nothing of it', async () => {
  const { raw, header } = signed({ seconds: -900 });
  const answer = (to: string) => service.call('POST', path, { raw, headers: { 'stripe-signature': to } });
  const untimely = await answer(header);
  const unmatched = await answer(signed({ secret: 'whsec_wrong' }).header);
  const words = ({ body }: typeof untimely) => ({ ...body.error, request_id: '' });
  expect(words(untimely)).toEqual(words(unmatched));
  expect(await settled()).toMatchObject({ refusedSinceGood: 2, cause: 'clock', secondsOff: -900 });
  await send();
  await send({ secret: 'whsec_wrong' });
  expect(await settled()).toMatchObject({ refusedSinceGood: 1, cause: 'secret' });
});

test('an event of the other mode is not one that counts: the secret is that of another endpoint', async () => {
  await send({ secret: 'whsec_of_live_mode' });
  expect(await send({ livemode: true })).toBe(200);
  expect(await settled()).toMatchObject({ lastGood: null, refusedSinceGood: 1, cause: 'mode', isRefusing: true });
});

test('while a secret is replaced, it is known whether the new one has matched', async () => {
  await send({ secret: second });
  expect(await settled()).toMatchObject({ needsSecondSecret: true, refusedSinceGood: 0 });
  await send();
  expect(await settled()).toMatchObject({ needsSecondSecret: false });
  await send({ secret: second }); // two endpoints, each with its own
  expect(await settled()).toMatchObject({ needsSecondSecret: false });
});

test('what nobody posts again counts for a day', async () => {
  await send({ secret: 'whsec_wrong' });
  await settled();
  await sql`
    update webhook_signatures set refused_at = refused_at - interval '25 hours',
      refused_first_at = refused_first_at - interval '25 hours'`.execute(service.context.db);
  expect(await health()).toMatchObject({ refusedSinceGood: 1, isRefusing: false });
});

test('a flood of refused posts is written at most once a second, and none is lost', async () => {
  const { raw, header } = signed({ secret: 'whsec_wrong' });
  const before = await writes();
  const began = performance.now();
  for (let n = 0; n < 6; n++) await Promise.all(Array.from({ length: 20 }, () => post(raw, header)));
  const most = Math.ceil((performance.now() - began) / 1_000) + 1;
  expect(await settled()).toMatchObject({ refusedSinceGood: 120 });
  const made = (await writes()) - before;
  expect(made > 0 && made <= most).toBe(true);
});

test('what could not be written is written later, and the log says so once', async () => {
  const { context } = service;
  const lines: { msg: string }[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const signatures = new WebhookSignatures({ ...context, log });
  await sql`alter table webhook_signatures rename to away`.execute(context.db);
  try {
    for (let n = 0; n < 2; n++) {
      signatures.refused({ outcome: 'unmatched' });
      await signatures.writeNow();
    }
  } finally {
    await sql`alter table away rename to webhook_signatures`.execute(context.db);
  }
  signatures.accepted({ byFirst: true }, true);
  await signatures.stop();
  expect(await health()).toMatchObject({ refusedSinceGood: 2, cause: 'mode' });
  expect(lines.filter(({ msg }) => msg.includes('not recorded yet'))).toHaveLength(1);
});

test('a process that ends writes what it has noted', async () => {
  const ending = await createService(env, { databaseUrl: service.databaseUrl });
  for (let n = 0; n < 3; n++) await send({ secret: 'whsec_wrong', to: ending });
  await ending.close();
  expect(await health()).toMatchObject({ refusedSinceGood: 3 });
});

test('the log warns once a minute with what to do, and the line of the request has the code', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const signatures = new WebhookSignatures({ ...service.context, log, publicUrl: 'https://studio.example' });
  const app = await createApp({ ...service.context, log, signatures });
  const inject = async ({ raw, header }: { raw: string; header: string }) =>
    app.inject({ method: 'POST', url: path, headers: { 'stripe-signature': header }, payload: raw });
  const warnings = () => lines.filter(({ level, code }) => level === 40 && code === 'invalid_signature');
  for (let n = 0; n < 3; n++) await inject(signed({ secret: 'whsec_wrong' }));
  expect(warnings()).toMatchObject([{ code: 'invalid_signature', refused: 1 }]);
  expect(warnings()[0]?.msg).toContain('STRIPE_WEBHOOK_SECRET');
  expect(warnings()[0]?.msg).toContain('https://studio.example/api/stripe/webhook');
  const answered = lines.filter(({ msg }) => msg === 'answered');
  expect(answered.map(({ level, status, code }) => [level, status, code])).toEqual(
    [1, 2, 3].map(() => [30, 400, 'invalid_signature']),
  );
  const late = new WebhookSignatures({ ...service.context, log, publicUrl: '' });
  late.refused({ outcome: 'untimely', seconds: -900 });
  expect(warnings()[1]?.msg).toContain('signed 900 s before this clock. Set the clock');
  expect(JSON.stringify(lines)).not.toMatch(/whsec_|v1=/);
  await Promise.all([app.close(), signatures.stop(), late.stop()]);
});

test('200: the prices have what the webhook saw', async () => {
  const read = async () => (await service.call('GET', '/api/operator/v1/prices', { as: operator.token })).body.webhook;
  expect(await read()).toEqual({
    accepted_at: null,
    refused_at: null,
    refused_since: 0,
    refused_because: null,
    renewals_without_invoices: false,
  });
  await send();
  await send({ secret: 'whsec_wrong' });
  const { lastGood, lastBad } = await settled();
  expect(await read()).toEqual({
    accepted_at: lastGood?.toISOString(),
    refused_at: lastBad?.toISOString(),
    refused_since: 1,
    refused_because: 'secret',
    renewals_without_invoices: false,
  });
});
