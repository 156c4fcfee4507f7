import pg from 'pg';
import { toldTo } from '../../test/support/notifications.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cancelBlocked, untilBlocked } from '../../test/support/locks.ts';
import { addSecondFactor, signInWith } from '../../test/support/authenticator.ts';
import { goodPassword, signIn, signUp } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { createApp } from '../app.ts';
import { createAuth } from './auth.ts';

let service: Service;
// An app that a test makes on its context ends its streams when it closes.
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const path = '/api/auth/sign-in/email';

test('200: a new session, whatever cookie came with the request', async () => {
  const { email, cookie, token } = await signUp(service);
  const body = { email: email.toUpperCase(), password: goodPassword };
  const answer = await service.call('POST', path, { body, headers: { cookie } });
  expect(answer.status).toBe(200);
  expect(answer.body.user.email).toBe(email);
  expect(answer.body.token).not.toBe(token);
  expect(answer.body.token).toMatch(/^[0-9A-Za-z]{32}\./); // 190 random bits
  expect((await service.call('GET', '/api/auth/accounts', { as: answer.body.token })).status).toBe(200);
});

test('200: an address as mail programs copy it is the same person, also at sign-up', async () => {
  const { email } = await signUp(service);
  const pasted = `"Ada Lovelace" <${email}>;\u00a0`;
  const signedIn = await service.call('POST', path, { body: { email: pasted, password: goodPassword } });
  expect([signedIn.status, signedIn.body.user.email]).toEqual([200, email]);
  const body = { name: 'Ada', email: `mailto:${email}`, password: goodPassword };
  const again = await service.call('POST', '/api/auth/sign-up/email', { body });
  expect([again.status, again.body.error.details[0].location]).toEqual([422, '/email']);
  const rows = await service.context.db
    .selectFrom('people')
    .select('email')
    .where('email', 'like', `%${email}%`)
    .execute();
  expect(rows).toEqual([{ email }]);
});

test('200: a cookie that somebody planted is not adopted', async () => {
  const [victim, attacker] = [await signUp(service), await signUp(service)];
  const madeUp = `atelier.session_token=${'x'.repeat(32)}.${'A'.repeat(43)}=`;
  const unsigned = attacker.cookie.split('.').slice(0, 2).join('.');
  const body = { email: victim.email, password: goodPassword };
  const userOf = async (cookie: string) =>
    (await service.call('GET', '/api/v1/me', { as: { cookie } })).body.user?.email ?? null;
  for (const [planted, before] of [
    [attacker.cookie, attacker.email],
    [madeUp, null],
    [unsigned, null],
  ] as const) {
    const answer = await service.call('POST', path, { body, headers: { cookie: planted } });
    const [given = ''] = answer.headers.getSetCookie().map((endpoint) => endpoint.split(';')[0]);
    expect([attacker.cookie, planted]).not.toContain(given);
    expect([await userOf(given), await userOf(planted)]).toEqual([victim.email, before]);
  }
});

test('200: the caller address and browser are kept with the session, not what a header claims', async () => {
  const { email } = await signUp(service);
  const headers = { 'x-forwarded-for': '6.6.6.6', 'x-caller-address': '6.6.6.6', 'user-agent': 'Browser/1' };
  await service.call('POST', path, { body: { email, password: goodPassword }, headers });
  const row = await service.context.db
    .selectFrom('sessions')
    .select(['ip_address', 'user_agent'])
    .where('user_agent', '=', 'Browser/1')
    .executeTakeFirstOrThrow();
  expect(row.ip_address).toBe('127.0.0.1');
});

test('200 tells what is left of both limits, by address and by e-mail', async () => {
  const { email } = await signUp(service);
  const { headers } = await service.call('POST', path, { body: { email, password: goodPassword } });
  const parties = (name: string) => headers.get(name)?.match(/"\w+"/g);
  expect(parties('ratelimit-policy')).toEqual(['"address"', '"email"']);
  expect(parties('ratelimit')).toEqual(['"address"', '"email"']);
});

test('401 unauthenticated: the same answer for a wrong password and an unknown address', async () => {
  const { email } = await signUp(service);
  const attempts = [
    { email, password: 'wrong password' },
    { email: 'nobody@example.com', password: 'wrong password' },
  ];
  const answers = await Promise.all(attempts.map((body) => service.call('POST', path, { body })));
  const seen = answers.map(({ status, body: { error } }) => ({ status, ...error, request_id: '' }));
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]).toMatchObject({ status: 401, code: 'unauthenticated' });
});

test('401 unauthenticated: about the same time for a wrong password and an unknown address', async () => {
  const { email } = await signUp(service);
  const time = async (address: string) => {
    const start = performance.now();
    await service.call('POST', path, { body: { email: address, password: 'wrong password' } });
    return performance.now() - start;
  };
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let round = 0; round < 6; round++) {
    known.push(await time(email));
    unknown.push(await time('nobody@example.com'));
  }
  // The fastest of each, since a busy machine only adds: without the hash it would be a twentieth.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 5);
});

test.each([
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-site'],
])('403 csrf_token_invalid: %s %s', async (name, value) => {
  const body = { email: 'ada@example.com', password: goodPassword };
  const answer = await service.call('POST', path, { body, headers: { [name]: value } });
  expect([answer.status, answer.body.error.code]).toEqual([403, 'csrf_token_invalid']);
});

test('200: our own origin', async () => {
  const { email } = await signUp(service);
  const headers = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' };
  expect((await service.call('POST', path, { body: { email, password: goodPassword }, headers })).status).toBe(200);
});

test('200: behind https the cookie is Secure, bound to the host, and works under that name only', async () => {
  const { context } = service;
  const publicUrl = 'https://atelier.example.com';
  const auth = createAuth({ ...context, publicUrl, secretKeys: context.config.secretKeys });
  const secure = { ...context, publicUrl, auth };
  const app = await createApp({ ...secure, current: () => secure });
  const { email } = await signUp(service);
  const payload = { email, password: goodPassword };
  const signedIn = await app.inject({ method: 'POST', url: path, payload, headers: { origin: publicUrl } });
  const cookie = String(signedIn.headers['set-cookie']);
  expect(cookie).toMatch(
    /^__Host-atelier\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const ask = async (value = '') =>
    (await app.inject({ url: '/api/auth/accounts', headers: { cookie: value } })).statusCode;
  expect(await ask(cookie.split(';')[0])).toBe(200);
  expect(await ask(cookie.split(';')[0]?.slice('__Host-'.length))).toBe(401);
  expect(await ask(cookie.split(';')[0]?.replace('__Host-', '__Secure-'))).toBe(401);

  const browser = { cookie: cookie.split(';')[0], origin: publicUrl };
  const signedOut = await app.inject({ method: 'POST', url: '/api/auth/sign-out', headers: browser });
  const ended = '__Host-atelier.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure';
  expect([signedOut.statusCode, signedOut.headers['set-cookie']]).toEqual([200, ended]);
  expect(await ask(browser.cookie)).toBe(401);
  await app.close();
});

test('200: a session signed with the older secret key holds after the key was replaced', async () => {
  const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
  const before = await createService({ SECRET_KEY: old });
  const person = await signUp(before);
  const after = await createService({ SECRET_KEY: `${fresh},${old}` }, { databaseUrl: before.databaseUrl });
  expect((await after.call('GET', '/api/auth/accounts', { as: person.token })).status).toBe(200);
  for (const service of [before, after]) await signIn(service, person.email);
  expect(await toldTo(after, person)).toEqual([]); // the network is known by the old key, too
  const forgotten = await createService({ SECRET_KEY: fresh }, { databaseUrl: before.databaseUrl });
  expect((await forgotten.call('GET', '/api/auth/accounts', { as: person.token })).status).toBe(401);
  expect(await signIn(forgotten, person.email)).toMatchObject({ accountId: person.accountId });
  for (const service of [before, after, forgotten]) await service.close();
});

test('403 second_factor_required: the right password of somebody who has a second factor', async () => {
  const person = await signUp(service);
  await addSecondFactor(service, person);
  const { status, body } = await service.call('POST', path, { body: { email: person.email, password: goodPassword } });
  expect([status, body.error.code]).toEqual([403, 'second_factor_required']);
});

test('503 service_unavailable: a sign-in that cannot be recorded after its session was made opens none', async () => {
  const person = await signUp(service);
  const listed = async () =>
    (await service.call('GET', '/api/auth/sessions', { as: person.token })).body.sessions.length;
  const before = await listed();
  const other = new pg.Client({ connectionString: service.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('lock table audit_log in access exclusive mode');
  const tokens: string[] = [];
  // The token that the caller would get, which nobody has.
  const { openToken } = service.context.auth;
  vi.spyOn(service.context.auth, 'openToken').mockImplementation((signed) => {
    tokens.push(signed);
    return openToken(signed);
  });
  const signedIn = signInWith(service, person);
  await untilBlocked(service.context.db);
  await cancelBlocked(service.context.db);
  const refused = await signedIn;
  vi.restoreAllMocks();
  await other.query('rollback');
  await other.end();
  expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
  expect(tokens).toHaveLength(1);
  expect((await service.call('GET', '/api/v1/me', { as: tokens[0] ?? null })).status).toBe(401);
  expect(await listed()).toBe(before);
  expect((await signInWith(service, person)).status).toBe(200);
});
