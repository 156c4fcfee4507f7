import type { IncomingMessage } from 'node:http';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeKey, signUp, type TestPerson } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { mintKey } from '../keys/plaintext-key.ts';
import { createAuthenticate } from './authenticate.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

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

test('401 unauthenticated: unknown prefix, wrong secret, revoked, expired and malformed answer the same', async () => {
  const { db } = service.context;
  const [revoked, expired, wrong] = [await makeKey(service, owner), await makeKey(service, owner), mintKey('atl')];
  const at = new Date(Date.now() - 1000);
  const prefixOf = (text: string) => text.split('_')[1] ?? '';
  await db.updateTable('api_keys').set({ revoked_at: at }).where('prefix', '=', prefixOf(revoked)).execute();
  await db.updateTable('api_keys').set({ expires_at: at }).where('prefix', '=', prefixOf(expired)).execute();
  // A well-formed key whose prefix is known and whose secret is not the one kept.
  const foreign = {
    id: (await db.selectFrom('api_keys').select('id').where('prefix', '=', prefixOf(key)).executeTakeFirstOrThrow()).id,
  };
  await db.updateTable('api_keys').set({ prefix: wrong.prefix }).where('id', '=', foreign.id).execute();
  const refused = [];
  for (const one of [
    wrong.plaintext,
    mintKey('atl').plaintext,
    revoked,
    expired,
    'atl_',
    `${key}x`,
    key.slice(0, -1),
    'atl_a_b_c',
    `atl_${'0'.repeat(8)}_${'0'.repeat(49)}`,
  ])
    refused.push(await refusalOf(one));
  await db
    .updateTable('api_keys')
    .set({ prefix: prefixOf(key) })
    .where('id', '=', foreign.id)
    .execute();
  for (const refusal of refused) expect(refusal).toEqual(refused[0]);
  expect(refused[0]).toMatchObject({ status: 401, code: 'unauthenticated', www: 'Bearer' });
  expect((await service.call('GET', path, { as: key })).status).toBe(200);
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
