import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sign } from '../../server/billing/signature.ts';
import { mintKey } from '../../server/keys/key-finder.ts';
import { draft, newCustomer } from '../support/jobs.ts';
import { signIn, signUpUnverified } from '../support/people.ts';
import { seconds } from '../support/plans.ts';
import { end, type Faulty, createFaultyService } from './faulty-service.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { ask } from './postgres.ts';

/**
 * Every secret that is minted or sent, at the most talkative level of the log: none is in what the process writes, in
 * answers that refuse, or, except as a hash, in the database.
 */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

const random = () => randomBytes(18).toString('base64url');
const [secretKey, webhookSecret, operatorPassword] = [`sk-${random()}${random()}`, `whsec_${random()}`, random()];

let service: Faulty;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await openMailbox();
  service = await createFaultyService({
    LOG_LEVEL: 'trace',
    SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    SMTP_URL: mailbox.url,
    OPERATOR_EMAIL: 'operator@example.com',
    OPERATOR_PASSWORD: operatorPassword,
  });
});
afterAll(async () => {
  await service.close();
  await mailbox.close();
});

/** Secrets by what they are. */
const minted = new Map<string, string>();
const mint = (what: string, secret: string): string => {
  expect(secret.length, what).toBeGreaterThanOrEqual(16);
  minted.set(what, secret);
  return secret;
};

/** What of the secrets is in a text: as it is, encoded for a URL, in base64, or its first half alone. */
function foundIn(text: string): string[] {
  const forms = (secret: string) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
    secret.slice(0, Math.max(16, secret.length / 2)),
  ];
  return [...minted].filter(([, secret]) => forms(secret).some((form) => text.includes(form))).map(([what]) => what);
}

/** Everything that was answered with a failure. */
let refusals = '';
async function send(method: string, path: string, init: RequestInit & { json?: unknown } = {}) {
  const { json, headers, ...rest } = init;
  const response = await fetch(service.url + path, {
    method,
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...rest,
  });
  const text = await response.text();
  if (response.status >= 400) refusals += `${[...response.headers].join('\n')}\n${text}\n`;
  return { status: response.status, text };
}
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** The token of the newest email about something. */
async function tokenOf(subject: string, pattern: RegExp): Promise<string> {
  const find = () => pattern.exec(mailbox.emails.findLast((email) => email.includes(`Subject: ${subject}`)) ?? '');
  return vi.waitFor(
    () => {
      const token = find()?.[1];
      if (token === undefined) throw new Error(`There is no email: ${subject}\n${mailbox.emails.join('\n')}`);
      return token;
    },
    { timeout: 90_000 },
  );
}

async function people() {
  const { person, key } = await newCustomer(service, 'studio');
  const bad = mint('a wrong password', random());
  expect((await send('POST', '/api/auth/sign-in/email', { json: { email: person.email, password: bad } })).status).toBe(
    401,
  );
  mint('session, signed', person.token);
  mint('session, unsigned', person.token.split('.')[0] ?? '');
  mint('cookie', decodeURIComponent(person.cookie.split('=')[1] ?? ''));
  mint('csrf token', person.csrf);
  expect((await send('GET', '/api/v1/me', bearer(`${person.token}x`))).status).toBe(401);
  const asBrowser = (csrf: string) => ({ headers: { cookie: person.cookie, 'x-service-csrf-token': csrf } });
  expect(
    (await send('POST', '/api/v1/api-keys', { json: { name: 'x' }, ...asBrowser(`${person.csrf}x`) })).status,
  ).toBe(403);

  await send('POST', '/api/auth/request-password-reset', { json: { email: person.email } });
  const reset = mint('reset token', await tokenOf('Reset your password', /reset-password\?token=(\S+)/));
  const stranger = await signUpUnverified(service);
  mint('verification token', await tokenOf('Verify your e-mail address', /verify-email\?token=(\S+)/));
  const password = mint('the new password', random());
  await send('POST', '/api/auth/reset-password', { json: { token: `${reset}x`, new_password: password } });
  await send('POST', '/api/auth/reset-password', { json: { token: reset, new_password: 'short' } });
  const verify = async (token: string) =>
    (await send('POST', '/api/auth/verify-email', { json: { token }, ...bearer(stranger.token) })).status;
  expect(await verify(`${minted.get('verification token')}x`)).toBe(422);
  expect(await verify(minted.get('verification token') ?? '')).toBe(200);
  expect(
    (await send('POST', '/api/auth/reset-password', { json: { token: reset, new_password: password } })).status,
  ).toBe(200);
  expect(
    (await send('POST', '/api/auth/reset-password', { json: { token: reset, new_password: password } })).status,
  ).toBe(422);
  const again = await signIn(service, person.email, password);
  mint('session after the reset', again.token);
  const unsigned = mint('session after the reset, unsigned', again.token.split('.')[0] ?? '');
  expect((await send('GET', '/api/v1/me', bearer(unsigned))).status).toBe(401);
  return { person: again, key };
}

async function keys(key: string) {
  mint('api key', key);
  mint('secret part of the api key', key.split('_')[2] ?? '');
  const unknown = mint('a wrong key', mintKey('atl').plaintext);
  expect((await send('GET', '/api/v1/jobs', bearer(key))).status).toBe(200);
  expect((await send('GET', '/api/v1/jobs', bearer(unknown))).status).toBe(401);
  expect((await send('GET', '/api/v1/jobs', bearer(`${key}x`))).status).toBe(401);
  expect((await send('GET', `/api/v1/jobs?api_key=${key}`, bearer(key))).status).toBe(400);
  // In the text of a job, in a body that is no JSON, in one that is too large, in a path, in a header that is too large.
  const told = { ...draft, customer_instructions: `Use our key ${unknown} for it.` };
  expect((await send('POST', '/api/v1/jobs', { json: told, ...bearer(key) })).status).toBe(422);
  const type = { 'content-type': 'application/json' };
  for (const body of [`{"key": "${key}"`, `{"x": "${key}", "x": "${key}"}`, `{"x": "${key.repeat(20_000)}"}`])
    await send('POST', '/api/v1/catalog/intent-check', { body, headers: type });
  await send('GET', `/api/v1/${key}`);
  await send('GET', `/api/v1/jobs/${key}`, bearer(key));
  // One that is not taken as X-Request-Id is not kept either.
  const untaken = mint('an X-Request-Id with a space', `${random()} ${random()}`);
  for (const path of ['/healthz', '/api/v1/nothing']) await send('GET', path, { headers: { 'x-request-id': untaken } });
  await send('GET', '/api/v1/jobs', { headers: { authorization: `Bearer ${key.repeat(400)}` } });
}

async function reviewLinks(key: string) {
  const job = JSON.parse((await send('POST', '/api/v1/jobs', { json: draft, ...bearer(key) })).text).job.id;
  const made = await send('POST', `/api/v1/jobs/${job}/review-links`, {
    json: { name: 'Board', can_comment: true },
    headers: { ...bearer(key).headers, 'idempotency-key': 'one' },
  });
  const token = mint('review token', JSON.parse(made.text).token);
  const wrong = mint('a wrong review token', mintKey('atr').plaintext);
  const guest = (review: string) => ({ headers: { authorization: `Review ${review}` } });
  expect((await send('GET', '/api/v1/review', guest(token))).status).toBe(200);
  for (const bad of [wrong, `${token}x`, token.slice(0, 20)])
    expect((await send('GET', '/api/v1/review', guest(bad))).status).toBe(404);
  expect((await send('GET', '/api/v1/jobs', bearer(token))).status).toBe(401);
  expect((await send('GET', `/api/v1/review?token=${token}`, guest(token))).status).toBe(400);
  await send('GET', `/api/v1/review/files/${token}/download`, guest(token));
  const comment = { name: 'Vera', file_id: token, text: `See ${token}` };
  expect((await send('POST', '/api/v1/review/comments', { json: comment, ...guest(token) })).status).toBe(409);
  await send('POST', '/api/v1/review/comments', { body: `{"name": "${token}"`, ...guest(token) });
}

async function webhooks() {
  const event = JSON.stringify({ id: `evt_${random()}`, type: 'customer.subscription.updated', data: { object: {} } });
  const at = seconds(Date.now());
  for (const [secret, times] of [
    [webhookSecret, at],
    [webhookSecret, at - 4_000],
    ['whsec_other', at],
  ] as const) {
    const signature = sign(secret, times, Buffer.from(event));
    mint(`signature of ${times} by ${secret.slice(0, 8)}`, /v1=(\w+)/.exec(signature)?.[1] ?? '');
    await send('POST', '/api/stripe/webhook', { body: event, headers: { 'stripe-signature': signature } });
  }
}

async function desk(key: string) {
  const operator = await signIn(service, 'operator@example.com', operatorPassword);
  mint('session of the operator', operator.token);
  const made = await send('POST', '/api/operator/v1/worker-keys', { json: { name: 'w' }, ...bearer(operator.token) });
  const worker = mint('worker key', JSON.parse(made.text).plaintext_key);
  expect((await send('POST', '/api/v1/jobs', { json: draft, ...bearer(key) })).status).toBe(201);
  const claimed = await send('POST', '/api/operator/v1/jobs/claim', { json: {}, ...bearer(worker) });
  const { job, lease } = JSON.parse(claimed.text);
  mint('lease token', lease.token);
  await send('POST', `/api/operator/v1/jobs/${job.id}/start`, {
    json: { lease_token: lease.token },
    ...bearer(worker),
  });
  await send('POST', `/api/operator/v1/jobs/${job.id}/pass`, { json: { lease_token: lease.token }, ...bearer(worker) });
  const wish = { purpose: 'job_reference', file_name: 'a.txt', content_type: 'text/plain', size_bytes: 3 };
  const presigned = await send('POST', '/api/v1/files/presign', { json: wish, ...bearer(key) });
  const { url, headers } = JSON.parse(presigned.text).upload;
  mint('signature of an upload', new URL(url).searchParams.get('signature') ?? '');
  const { pathname, search } = new URL(url);
  expect((await send('PUT', `${pathname}${search}x`, { body: 'abc', headers })).status).toBe(403);
  expect((await send('PUT', pathname + search, { body: 'abc', headers })).status).toBe(200);
}

/** Faults of our own: the tables are not as the service knows them. */
async function faults(email: string, key: string) {
  const password = mint('password at a fault', random());
  await ask(service.folder, 'alter table events rename to gone; alter table credentials rename to gone_too');
  expect((await send('POST', '/api/v1/jobs', { json: draft, ...bearer(key) })).status).toBe(500);
  expect((await send('POST', '/api/auth/sign-in/email', { json: { email, password } })).status).toBeGreaterThanOrEqual(
    500,
  );
  await ask(service.folder, 'alter table gone rename to events; alter table gone_too rename to credentials');
}

/** Each row of each table, as text. */
async function dump(): Promise<Map<string, string>> {
  const tables = await ask(
    service.folder,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await ask(service.folder, `select t::text as row from ${name} t`);
    texts.set(name, rows.map(({ row }) => row).join('\n'));
  }
  return texts;
}

test('no secret is in the log at level trace, in a refusal, or, except as a hash, in a table', async () => {
  mint('secret key', secretKey);
  mint('webhook secret', webhookSecret);
  mint('password of the operator', operatorPassword);
  const { person, key } = await people();
  await keys(key);
  await reviewLinks(key);
  await webhooks();
  await desk(key);
  await faults(person.email, key);

  // The control: what is logged and stored on purpose is found by the same search.
  const canary = mint('canary', `canary-${random()}`);
  await send('GET', '/healthz', { headers: { 'x-request-id': canary } });
  await send('POST', '/api/v1/jobs', { json: { ...draft, customer_title: canary }, ...bearer(key) });
  await send('GET', '/api/v1/nothing', { headers: { 'x-request-id': canary } });

  const tables = await dump();
  await end(service.run, 'SIGTERM');
  const said = service.run.said();
  expect(said).toContain('"internal_error"');
  expect(said.split('\n').length).toBeGreaterThan(50);
  expect(foundIn(said)).toEqual(['canary']);
  expect(foundIn(refusals)).toEqual(['canary']);
  const stored = [...tables].flatMap(([table, text]) => foundIn(text).map((what) => `${table}: ${what}`));
  // A session is stored without the signature that makes a credential of it, and a lease token is none by itself.
  const harmless = ['public.sessions: session after the reset, unsigned', 'public.jobs: lease token'];
  expect(stored.toSorted()).toEqual([...harmless, 'public.jobs: canary'].toSorted());
});
