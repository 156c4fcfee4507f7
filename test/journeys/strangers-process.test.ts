import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createFaultyService, end, type Faulty } from '../faults/faulty-service.ts';
import { freePort, run, untilServing } from '../faults/process.ts';
import { environment } from '../support/harness.ts';
import { goodPassword } from '../support/people.ts';

/** What a stranger tried at a service that an operator started, with the limits that it ships with. */

vi.setConfig({ testTimeout: 60_000 });

/** Tests set other ones. */
const asShipped = Object.keys(environment).filter((name) => name.startsWith('RATE_'));
const settings = {
  ...Object.fromEntries(asShipped.map((rate) => [rate, undefined])),
  LOG_LEVEL: 'info',
  TRUST_PROXY: '127.0.0.1',
};

let service: Faulty;
beforeAll(async () => void (service = await createFaultyService(settings)), 60_000);
afterAll(() => service.close());

const from = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` });
const post = (path: string, as: string | null, body: object = {}, headers = {}) =>
  service.call('POST', path, { as, body, headers });

/** So many of one request, eight at a time: more would wait for the account's row until they are refused as busy. */
function flood<T>(count: number, request: () => Promise<T>): Promise<T[]> {
  const eight = pLimit(8);
  return Promise.all(Array.from({ length: count }, () => eight(request)));
}

type Mail = { to: string; subject: string; text: string };
async function mails(): Promise<Mail[]> {
  const page = await fetch(`${service.url}/sandbox/mail`, { headers: { accept: 'application/json' } });
  return ((await page.json()) as { mails: Mail[] }).mails;
}
const mailedToken = (email: string) =>
  vi.waitFor(
    async () => {
      const mail = (await mails()).find(({ to }) => to === email);
      return /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? expect.fail('no mail yet');
    },
    { timeout: 30_000 },
  );

async function signUp(email: string, n: number): Promise<string> {
  const body = { name: 'Mallory', email, password: goodPassword };
  const { status, body: person } = await post('/api/auth/sign-up/email', null, body, from(n));
  expect(status).toBe(200);
  return person.token;
}
async function verified(email: string, n: number): Promise<string> {
  const token = await signUp(email, n);
  expect((await post('/api/auth/verify-email', token, { token: await mailedToken(email) })).status).toBe(200);
  return token;
}
/** What the service logged of the requests to a route, as the newest lines. */
const logged = (route: string) =>
  service.run
    .said()
    .split('\n')
    .filter((line) => line.includes(`"route":"${route}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a failed sign-in is traced by hashes of the address and the e-mail, whose texts stand nowhere in the log', async () => {
  const email = 'traced@example.com';
  await signUp(email, 1);
  const wrong = { email, password: 'a wrong password' };
  const before = logged('POST /api/auth/sign-in/email').length; // that of the demo account
  for (const n of [51, 51, 52]) await post('/api/auth/sign-in/email', null, wrong, from(n));
  await post('/api/auth/sign-in/email', null, { ...wrong, email: email.toUpperCase() }, from(53));
  const lines = await vi.waitFor(
    () => {
      const failed = logged('POST /api/auth/sign-in/email');
      expect(failed).toHaveLength(before + 4);
      return failed.slice(before);
    },
    { timeout: 30_000 },
  );
  const [first, again, elsewhere, shouted] = lines;
  expect(first).toMatchObject({ caller: null, address: expect.any(String), email: expect.any(String) });
  expect([again?.address, elsewhere?.address === first?.address]).toEqual([first?.address, false]);
  expect([again?.email, elsewhere?.email, shouted?.email]).toEqual([first?.email, first?.email, first?.email]);
  const { token, user } = (await post('/api/auth/sign-in/email', null, { email, password: goodPassword }, from(1)))
    .body;
  await service.call('GET', '/api/auth/session', { as: token, headers: from(51) });
  await vi.waitFor(
    () => expect(logged('GET /api/auth/session')).toMatchObject([{ caller: user.id, address: first?.address }]),
    { timeout: 30_000 },
  );
  expect(service.run.said()).not.toMatch(/203\.0\.113|traced@/i);
});

test('letters are shown at a page that the start names, and printed nowhere', async () => {
  await signUp('reader@example.com', 2);
  const token = await mailedToken('reader@example.com');
  expect(service.run.said()).toContain(`${service.url.replace('127.0.0.1', 'localhost')}/sandbox/mail`);
  expect(service.run.said()).not.toContain(token);
  expect((await fetch(`${service.url}/sandbox/mail`, { headers: from(2) })).status).toBe(404);
});

/** The median of twenty waits for an answer while four connections send such bodies. */
async function waitDuring(raw: string, firstAddress: number): Promise<number> {
  let measured = false;
  const send = async (path: string, n: number) => {
    const headers = { 'content-type': 'application/json', ...from(n) };
    const codes = new Set<string>();
    while (!measured) codes.add((await service.call('POST', path, { raw, headers })).body.error.code);
    return [...codes];
  };
  const paths = ['/api/auth/reset-password', '/api/v1/catalog/intent-check'];
  const measure = async () => {
    const waits: number[] = [];
    while (waits.length < 20) {
      const began = performance.now();
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      waits.push(performance.now() - began);
    }
    measured = true;
    return waits.toSorted((one, other) => one - other)[10] ?? 0;
  };
  const floods = [0, 1, 2, 3].map((n) => send(paths[n % 2] ?? '', firstAddress + n));
  const [wait, ...seen] = await Promise.all([measure(), ...floods]);
  for (const codes of seen)
    expect(['body_too_large', 'invalid_request', 'rate_limit_exceeded']).toEqual(expect.arrayContaining(codes));
  return wait;
}

test('four connections that send half a megabyte of brackets hold nobody up more than four with text', async () => {
  const bracketed = '['.repeat(262_144) + ']'.repeat(262_144);
  const text = `{"text":"${'x'.repeat(bracketed.length - 11)}"}`;
  const usual = await waitDuring(text, 60);
  // Parsing the brackets would take a hundred times as long as reading the text.
  expect(await waitDuring(bracketed, 70)).toBeLessThan(5 * usual + 100);
});

test('without a plan a hundred presigned uploads are three of 25 MiB together', async () => {
  const token = await verified('uploads@example.com', 3);
  const file = { purpose: 'job_source', content_type: 'application/zip', file_name: 'a.zip' };
  const sized = (mebibytes: number) => ({ ...file, size_bytes: mebibytes * 1024 * 1024 });
  const large = await flood(100, () => post('/api/v1/files/presign', token, sized(100)));
  expect(new Set(large.map(({ body }) => body.error?.code))).toEqual(new Set(['entitlement_required']));
  const small = await flood(20, () => post('/api/v1/files/presign', token, sized(8)));
  expect(small.filter(({ status }) => status === 201)).toHaveLength(3);
});

test('without a plan more accounts of the same person hold no more', async () => {
  const token = await verified('accounts@example.com', 8);
  const wish = {
    purpose: 'job_source',
    content_type: 'application/zip',
    file_name: 'a.zip',
    size_bytes: 8 * 1024 ** 2,
  };
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) {
    expect((await post('/api/auth/accounts', token, { name: `Number ${n}` })).status).toBe(201);
    statuses.push((await post('/api/v1/files/presign', token, wish)).status);
  }
  expect(statuses).toEqual([201, 201, 201, 403, 403]);
});

test('of a flood of keys no more are made than a minute allows, and their list is paged', async () => {
  const token = await verified('keys@example.com', 4);
  const make = () => post('/api/v1/api-keys', token, { name: 'one of many' });
  const answers = await flood(200, make);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]));
  const { body } = await service.call('GET', '/api/v1/api-keys?limit=20', { as: token });
  expect([body.api_keys.length, typeof body.next_cursor]).toEqual([20, 'string']);
});

test('a name that turns the text around it, or that nobody sees, names nothing', async () => {
  const token = await verified('names@example.com', 5);
  const faults = ['Mallory \u202e gro.elpmaxe', '\u200b\u2060', 'see https://evil.example'];
  for (const name of faults) {
    const answers = await Promise.all([
      service.call('PATCH', '/api/auth/profile', { as: token, body: { name } }),
      service.call('PATCH', '/api/auth/account', { as: token, body: { name } }),
      post('/api/auth/accounts', token, { name }),
      post('/api/v1/api-keys', token, { name }),
      post('/api/auth/sign-up/email', null, { name, email: 'x@example.com', password: goodPassword }, from(6)),
    ]);
    expect(
      answers.map(({ status }) => status),
      name,
    ).toEqual([422, 422, 422, 422, 422]);
  }
});

test('a start with OPERATOR_EMAIL does not make an operator of a customer with that address, and the log says when one is made', async () => {
  const stranger = await signUp('boss@example.com', 7);
  const token = await mailedToken('boss@example.com');
  for (const method of ['HEAD', 'GET']) await fetch(`${service.url}/verify-email?token=${token}`, { method });
  await end(service.run, 'SIGTERM');

  const port = await freePort();
  const operator = { OPERATOR_EMAIL: 'boss@example.com', OPERATOR_PASSWORD: 'four real words here' };
  const refused = run({ ...settings, ...operator, DATA_DIR: service.folder, PORT: String(port) });
  expect(await refused.ended, refused.said()).toBe(1);
  expect(refused.said()).toContain('--replace-password');
  expect(refused.said()).not.toMatch(/listening|four real words/);

  await service.restart();
  expect((await service.call('GET', '/api/operator/v1/accounts', { as: stranger })).status).toBe(403);
  await end(service.run, 'SIGTERM');
  const other = { ...operator, OPERATOR_EMAIL: 'real-boss@example.com' };
  const started = run({ ...settings, ...other, DATA_DIR: service.folder, PORT: String(port) });
  await untilServing(`http://127.0.0.1:${port}`, started);
  expect(started.said()).toContain('created a new person as operator');
  await end(started, 'SIGTERM');
  // It starts the service three times.
}, 180_000);
