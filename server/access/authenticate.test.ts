import type { IncomingMessage } from 'node:http';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { makeKey, signUp, type TestPerson } from '../../test/support/people.ts';
import { createService, sharedService, type Service } from '../../test/support/harness.ts';
import { mintKey } from '../keys/key-finder.ts';
import { createAuthenticate } from './authenticate.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/members';
let owner: TestPerson;
let key: string;
beforeAll(async () => {
  owner = await signUp(service);
  key = await makeKey(service, owner);
});

const refusalOf = async (as: string) => {
  const { status, body, headers } = await service.call('GET', path, { as });
  return { status, ...body.error, request_id: '', www: headers.get('www-authenticate') };
};
test('200: a key acts for its account', async () => {
  const { status, body } = await service.call('GET', path, { as: key });
  expect([status, body.members[0].user.email]).toEqual([200, owner.email]);
});

const prefixOf = (text: string) => text.split('_')[1] ?? '';
const endKey = (plaintext: string, end: { revoked_at: Date } | { expires_at: Date }) =>
  service.context.db.updateTable('api_keys').set(end).where('prefix', '=', prefixOf(plaintext)).execute();

test('401 unauthenticated: unknown prefix, wrong secret of a live or ended key, and malformed answer the same', async () => {
  const { db } = service.context;
  const [revoked, expired] = [await makeKey(service, owner), await makeKey(service, owner)];
  await endKey(revoked, { revoked_at: new Date() });
  await endKey(expired, { expires_at: new Date() });
  // Well-formed keys whose prefixes are known and whose secrets are not those kept.
  const wrong = [];
  for (const one of [await makeKey(service, owner), revoked, expired]) {
    const { plaintext, prefix } = mintKey('atl');
    await db.updateTable('api_keys').set({ prefix }).where('prefix', '=', prefixOf(one)).execute();
    wrong.push(plaintext);
  }
  const refused = [];
  for (const one of [
    ...wrong,
    mintKey('atl').plaintext,
    'atl_',
    `${key}x`,
    key.slice(0, -1),
    'atl_a_b_c',
    `atl_${'0'.repeat(8)}_${'0'.repeat(49)}`,
  ])
    refused.push(await refusalOf(one));
  for (const refusal of refused) expect(refusal).toEqual(refused[0]);
  expect(refused[0]).toMatchObject({
    status: 401,
    code: 'unauthenticated',
    www: expect.stringMatching(
      /^Bearer error="invalid_token", error_description="The credential is not known", scope=/,
    ),
  });
  expect(refused[0].message).toBe('A valid credential is required.');
});

test('401 unauthenticated: the holder of a revoked or expired key learns that it ended, and who can make a new one', async () => {
  const at = new Date(Date.now() - 1000);
  const [revoked, expired] = [await makeKey(service, owner), await makeKey(service, owner)];
  await endKey(revoked, { revoked_at: at });
  await endKey(expired, { expires_at: at });
  const action = 'An owner or admin of the account can make a new one at http://localhost:3000/keys.';
  expect(await refusalOf(revoked)).toMatchObject({
    status: 401,
    code: 'unauthenticated',
    message: `This API key was revoked on ${at.toISOString()}.`,
    action,
    www: expect.stringContaining('Bearer error="invalid_token", error_description="The API key was revoked", scope='),
  });
  expect(await refusalOf(expired)).toMatchObject({
    status: 401,
    code: 'unauthenticated',
    message: `This API key expired on ${at.toISOString()}.`,
    action,
    www: expect.stringContaining('Bearer error="invalid_token", error_description="The API key expired", scope='),
  });
  const mcp = await service.call('POST', '/mcp', { as: revoked, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
  expect([mcp.status, mcp.body.error.message]).toEqual([401, `This API key was revoked on ${at.toISOString()}.`]);
});

test('401 unauthenticated: keys that have ended count as bad credentials', async () => {
  const strict = await createService({ RATE_BAD_CREDENTIAL: 'address=3/60' });
  const person = await signUp(strict);
  const revoked = await makeKey(strict, person);
  await strict.context.db.updateTable('api_keys').set({ revoked_at: new Date() }).execute();
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push((await strict.call('GET', path, { as: revoked })).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
  await strict.close();
});

test('401 unauthenticated: a mistyped key is refused without a look-up', async () => {
  const { db } = service.context;
  const mistyped = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`;
  const spy = vi.spyOn(db, 'selectFrom');
  expect((await refusalOf(mistyped)).status).toBe(401);
  expect(spy).not.toHaveBeenCalled();
  spy.mockRestore();
});

test('200: requests of one tick share one statement', async () => {
  // Asked of the recogniser itself: over sockets nothing makes requests arrive in one tick.
  const authenticate = createAuthenticate(service.context);
  const headers = { authorization: `Bearer ${key}` };
  const request = { headers, rawHeaders: Object.entries(headers).flat() } as unknown as IncomingMessage;
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  const callers = await Promise.all(Array.from({ length: 40 }, () => authenticate(request)));
  const lookups = spy.mock.calls.filter((call) => /secret_sha256.* from api_keys/.test(JSON.stringify(call))).length;
  spy.mockRestore();
  expect(callers.every((caller) => caller?.method === 'api_key')).toBe(true);
  expect(lookups).toBe(1);
});

test('200: the last use is noted, at most once a minute', async () => {
  const person = await signUp(service);
  const fresh = await makeKey(service, person);
  const noted = async () =>
    (await service.call('GET', '/api/v1/api-keys', { as: person.token })).body.api_keys[0].last_used_at;
  expect(await noted()).toBeNull();
  await service.call('GET', path, { as: fresh });
  await expect.poll(noted).toEqual(expect.any(String));
  const first = await noted();
  await service.call('GET', path, { as: fresh });
  await sleep(50);
  expect(await noted()).toBe(first);

  const earlier = new Date(Date.now() - 61_000);
  await service.context.db
    .updateTable('api_keys')
    .set({ last_used_at: earlier })
    .where('account_id', '=', person.accountId)
    .execute();
  await service.call('GET', path, { as: fresh });
  await expect.poll(noted).not.toBe(earlier.toISOString());
});

test('200: a cookie beside a key is not looked at; a bad key does not fall back to it', async () => {
  const headers = { cookie: owner.cookie };
  expect((await service.call('GET', path, { as: key, headers })).status).toBe(200);
  expect((await service.call('GET', path, { as: 'atl_bad', headers })).status).toBe(401);
});

test('another lead can be configured, and the usual one is then no key', async () => {
  const other = await createService({ API_KEY_LEAD: 'acme' });
  const own = await makeKey(other, await signUp(other));
  expect(own).toMatch(/^acme_/);
  expect((await other.call('GET', path, { as: own })).status).toBe(200);
  expect((await other.call('GET', path, { as: mintKey('atl').plaintext })).status).toBe(401);
  await other.close();
});
