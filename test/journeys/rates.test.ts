import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rates } from '../../contract/rates.ts';
import { openSession, say } from '../support/intake.ts';
import { makeKey, signUp, type TestPerson } from '../support/people.ts';
import { grant } from '../support/plans.ts';
import { type Got, createService, type Service } from '../support/harness.ts';

/** Rates, with the limits set low. Each test has its own account or address, so that they do not count for each other. */

// New addresses each time: in Redis the counts of the last run may still stand.
const some = () => Math.floor(Math.random() * 250) + 1;
const net = `10.${some()}.${some()}`;
const net6 = `2001:db8:${some()}`;

let service: Service;
let person: TestPerson;
let key: string;
beforeAll(async () => {
  service = await createService({
    TRUST_PROXY: '127.0.0.1',
    ...(process.env.REDIS_URL ? { REDIS_URL: process.env.REDIS_URL } : {}),
    RATE_CREATE_JOB: 'account=6/60,key=3/60',
    RATE_ADD_MESSAGE: 'account=2/60',
    RATE_CHECK_INTENT: 'address=2/60',
    RATE_READ_PUBLIC: 'address=3/60',
    RATE_SIGN_IN: 'address=1000/60,email=2/60',
    RATE_BAD_CREDENTIAL: 'address=3/60',
  });
  person = await signUp(service);
  await grant(service, person, 'studio');
  key = await makeKey(service, person);
});
afterAll(() => service.close());

const draft = {
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'A logo',
  customer_instructions: 'Brand name: Rise Bakery.',
};
const create = (as: string) => service.call('POST', '/api/v1/jobs', { as, body: draft });
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** The four places that tell how long to wait must tell the same. */
function expectAgreement(got: Got, began: number): void {
  const { code, retry_after_seconds: seconds, retry_at } = got.body.error;
  expect([got.status, code]).toEqual([429, 'rate_limit_exceeded']);
  expect(got.headers.get('retry-after')).toBe(String(seconds));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  const until = Date.parse(retry_at) - seconds * 1000;
  expect(until).toBeGreaterThanOrEqual(began);
  expect(until).toBeLessThanOrEqual(Date.now());
  expect(got.headers.get('ratelimit')).toContain(`r=0;t=${seconds}`);
}

const left = ({ headers }: Got) =>
  [...(headers.get('ratelimit') ?? '').matchAll(/"(\w+)";r=(\d+)/g)].map(([, by, n]) => `${by} ${n}`).join(', ');

test('429 rate_limit_exceeded: the key first, then the account, for people and keys', async () => {
  const first = await create(key);
  expect(first.status).toBe(201);
  expect(first.headers.get('ratelimit-policy')).toBe('"account";q=6;w=60, "key";q=3;w=60, "credential";q=100000;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"account";r=5;t=\d+, "key";r=2;t=\d+, "credential";r=\d+;t=\d+$/);
  await create(key);
  await create(key);
  const began = Date.now();
  expectAgreement(await create(key), began);
  const other = await makeKey(service, person);
  for (const as of [other, other, person.token]) expect((await create(as)).status).toBe(201);
  const refused = await create(person.token);
  expectAgreement(refused, began);
  expect(refused.body.error.message).toContain('by account');
});

test('429 rate_limit_exceeded: what one limit refuses costs nothing of another, one by one or all at once', async () => {
  const ada = await signUp(service);
  await grant(service, ada, 'studio');
  const [one, two] = [await makeKey(service, ada), await makeKey(service, ada)];
  const statuses = (answers: Got[]) => answers.map(({ status }) => status).toSorted();
  const burst = await Promise.all(Array.from({ length: 20 }, () => create(one)));
  expect(statuses(burst)).toEqual([201, 201, 201, ...Array.from({ length: 17 }, () => 429)]);
  const refused = await create(one);
  expect([refused.status, left(refused)]).toEqual([429, 'account 3, key 0']);
  expect(refused.headers.get('ratelimit-policy')).toBe('"account";q=6;w=60, "key";q=3;w=60');

  for (const as of [ada.token, ada.token]) expect((await create(as)).status).toBe(201);
  const both = await Promise.all([create(two), create(two), create(two)]);
  expect(statuses(both)).toEqual([201, 429, 429]);
  const last = await create(two);
  expect([last.status, left(last)]).toEqual([429, 'account 0, key 2']);
  expect(last.body.error.message).toContain('by account');
});

test('preflight reads the rate without counting, and says when create would be refused', async () => {
  const ada = await signUp(service);
  await grant(service, ada, 'studio');
  const preflight = async () =>
    (await service.call('POST', '/api/v1/jobs/preflight', { as: ada.token, body: draft })).body.preflight;
  for (let n = 0; n < 20; n++) await preflight();
  const before = await preflight();
  expect(before.rate_limit_policy).toEqual({
    route: 'POST /api/v1/jobs',
    account: { limit: 6, window_seconds: 60 },
    key: null,
    checked_without_consuming: true,
  });
  expect(before.blocking_reasons.map((reason: { code: string }) => reason.code)).toEqual(['intake_incomplete']);
  for (let n = 0; n < 6; n++) expect((await create(ada.token)).status).toBe(201);
  const [first] = (await preflight()).blocking_reasons;
  expect(first.code).toBe('rate_limit_exceeded');
  expect(first.action).toMatch(/^Wait \d+ s, /);
  expect((await create(ada.token)).status).toBe(429);
});

test('a replayed create costs one, and a refused body costs one', async () => {
  const ada = await signUp(service);
  await grant(service, ada, 'studio');
  const left = async (body: unknown) => {
    const headers = { 'idempotency-key': 'one' };
    const got = await service.call('POST', '/api/v1/jobs', { as: ada.token, body, headers });
    return `${got.status} ${/"account";r=(\d+)/.exec(got.headers.get('ratelimit') ?? '')?.[1]}`;
  };
  expect([await left(draft), await left(draft), await left({})]).toEqual(['201 5', '200 4', '422 3']);
});

test('429 rate_limit_exceeded: who asks for what another account has counts for themselves, and not for its owner', async () => {
  const [ada, eve] = [await signUp(service), await signUp(service)];
  const { id } = await openSession(service, ada.token);
  const asEve = [];
  for (let n = 0; n < 3; n++) asEve.push((await say(service, eve.token, id, 'hello')).status);
  expect(asEve).toEqual([404, 404, 429]);
  const own = await say(service, ada.token, id, 'hello');
  expect([own.status, own.headers.get('ratelimit')]).toEqual([201, expect.stringMatching(/^"account";r=1;/)]);
});

test('429 rate_limit_exceeded: public reads by address, all together', async () => {
  const read = (path: string) => service.call('GET', `/api/v1/${path}`, from(`${net}.9`));
  for (const path of ['catalog', 'installation', 'openapi.json']) expect((await read(path)).status).toBe(200);
  const began = Date.now();
  for (const path of ['catalog', 'installation', 'openapi.json']) expectAgreement(await read(path), began);
  expect((await service.call('GET', '/api/v1/catalog', from(`${net}.10`))).status).toBe(200);
});

test('429 rate_limit_exceeded: intent check by address, an IPv6 caller by its network', async () => {
  const check = (address: string) =>
    service.call('POST', '/api/v1/catalog/intent-check', { body: draft, ...from(address) });
  const statuses = async (...addresses: string[]) => {
    const got = [];
    for (const address of addresses) got.push((await check(address)).status);
    return got;
  };
  expect(await statuses(`${net}.1`, `${net}.1`, `${net}.1`, `${net}.2`)).toEqual([200, 200, 429, 200]);
  expect(await statuses(`${net6}:1::1`, `${net6}:1::2`, `${net6}:1:9::3`)).toEqual([200, 200, 429]);
  expect(await statuses(`${net6}:2::1`)).toEqual([200]);
  const short = `2001:${some()}`; // zeros left out before the end of the network
  expect(await statuses(`${short}::1`, `${short}::9:0:0:2`, `${short}:0:0:9::3`)).toEqual([200, 200, 429]);
  expect(await statuses(`::ffff:${net}.3`, `${net}.3`, `${net}.3`, `::ffff:${net}.4`)).toEqual([200, 200, 429, 200]);
});

test('429 rate_limit_exceeded: sign-in by address and e-mail, which shuts nobody out elsewhere', async () => {
  const signIn = (password: string, address: string) =>
    service.call('POST', '/api/auth/sign-in/email', { body: { email: person.email, password }, ...from(address) });
  expect((await signIn('wrong password', `${net}.10`)).status).toBe(401);
  expect((await signIn('wrong password', `${net}.10`)).status).toBe(401);
  const began = Date.now();
  expectAgreement(await signIn(person.password, `${net}.10`), began);
  expect((await signIn(person.password, `${net}.11`)).status).toBe(200);
  // What the limit by e-mail refuses costs nothing of that by address.
  const other = await service.call('POST', '/api/auth/sign-in/email', {
    body: { email: 'x@y.example' },
    ...from(`${net}.12`),
  });
  expect([other.status, left(other)]).toEqual([422, 'address 999']);
  expect(left(await signIn('wrong password', `${net}.10`))).toBe('address 998, email 0');
  for (const end of [1, 2]) expect((await signIn('wrong password', `${net6}:3::${end}`)).status).toBe(401);
  expect((await signIn(person.password, `${net6}:3::3`)).status).toBe(429);
});

test('429 rate_limit_exceeded: bad credentials by address, which holds up no good one', async () => {
  const read = (as: string) => service.call('GET', '/api/v1/me', { as, ...from(`${net}.20`) });
  for (let n = 0; n < 3; n++) expect((await read('atl_00000000_nothing')).status).toBe(401);
  expect((await read('atl_00000000_nothing')).status).toBe(429);
  expect((await read(key)).status).toBe(200);
});

describe('the wide net over all routes', () => {
  let netted: Service;
  let owner: TestPerson;
  beforeAll(async () => {
    netted = await createService({
      ...(process.env.REDIS_URL ? { REDIS_URL: process.env.REDIS_URL } : {}),
      // Fifteen preflights wait for a lock at once.
      DATABASE_POOL: '30',
      RATE_REQUEST: 'credential=5/60',
      RATE_CREATE_JOB: 'account=6/60,key=3/60',
    });
    owner = await signUp(netted);
    await grant(netted, owner, 'studio');
  });
  afterAll(() => netted.close());

  const ask = (as: string, method: 'GET' | 'POST' = 'GET', path = '/api/v1/me', body?: object) =>
    netted.call(method, path, { as, ...(body ? { body } : {}) });

  test('429 rate_limit_exceeded: the sixth request of a key, whatever it asks; other credentials go on', async () => {
    const [one, two] = [await makeKey(netted, owner), await makeKey(netted, owner)];
    const first = await ask(one);
    expect(first.headers.get('ratelimit-policy')).toBe('"credential";q=5;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"credential";r=4;t=(60|59)$/);
    const created = await ask(one, 'POST', '/api/v1/jobs', draft);
    expect(created.headers.get('ratelimit-policy')).toBe('"account";q=6;w=60, "key";q=3;w=60, "credential";q=5;w=60');
    expect((await ask(one, 'GET', '/api/v1/jobs/nothing')).status).toBe(404);
    expect((await ask(one, 'GET', '/api/v1/jobs?limit=0')).status).toBe(400);
    expect(left(await ask(one))).toBe('credential 0');
    const began = Date.now();
    for (const path of ['/api/v1/me', '/api/v1/jobs', '/api/v1/usage'])
      expectAgreement(await ask(one, 'GET', path), began);
    expectAgreement(await ask(one, 'POST', '/api/v1/jobs', draft), began);
    expectAgreement(await ask(one, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }), began);
    expect(left(await ask(two, 'POST', '/api/v1/jobs', draft))).toBe('account 4, key 2, credential 4');
  });

  test('preflight counts nowhere, and passes where the net is exhausted', async () => {
    const key = await makeKey(netted, owner);
    for (let n = 0; n < 5; n++) await ask(key);
    expect((await ask(key)).status).toBe(429);
    for (let n = 0; n < 8; n++) {
      const { status, headers } = await ask(key, 'POST', '/api/v1/jobs/preflight', draft);
      expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    }
  });

  test('429 rate_limit_exceeded: the eleventh preflight at a time of a credential; others go on, and so does it after', async () => {
    const bob = await signUp(netted);
    await grant(netted, bob, 'studio');
    const [one, two] = [await makeKey(netted, bob), await makeKey(netted, bob)];
    const preflight = (key: string) => ask(key, 'POST', '/api/v1/jobs/preflight', draft);
    // The counters stay locked until four are refused, so the other eleven are under way at once.
    const locked = Promise.withResolvers<void>();
    const fourRefused = Promise.withResolvers<void>();
    const lock = netted.context.db.transaction().execute(async (trx) => {
      await sql`lock table account_counters in access exclusive mode`.execute(trx);
      locked.resolve();
      await Promise.race([fourRefused.promise, wait(20_000)]);
    });
    await locked.promise;
    let answered = 0;
    const requests = [...Array.from({ length: 14 }, () => preflight(one)), preflight(two)].map(async (request) => {
      const answer = await request;
      answered += 1;
      if (answered === 4) fourRefused.resolve();
      return answer;
    });
    const answers = await Promise.all(requests);
    await lock;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 11 }, () => 200),
      ...Array.from({ length: 4 }, () => 429),
    ]);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.body.error.code, refused?.headers.get('retry-after')]).toEqual(['rate_limit_exceeded', '1']);
    expect(answers.at(-1)?.status).toBe(200);
    expect((await preflight(one)).status).toBe(200);
  });

  test('the limits of checkouts and invitations are 10 and 20 an hour by account', () => {
    expect(rates.request).toEqual({ credential: { limit: 600, windowSeconds: 60 } });
    expect(rates.start_checkout).toEqual({ account: { limit: 10, windowSeconds: 3600 } });
    expect(rates.invite_member.account).toEqual({ limit: 20, windowSeconds: 3600 });
  });
});

test('429 rate_limit_exceeded: checkouts and portals count together, invitations by themselves, by account', async () => {
  const strict = await createService({ RATE_START_CHECKOUT: 'account=2/60', RATE_INVITE_MEMBER: 'account=2/60' });
  const ada = await signUp(strict);
  const post = (path: string, body: object) => strict.call('POST', path, { as: ada.token, body });
  const statuses = [];
  for (const path of ['/api/checkout/tier', '/api/checkout/portal', '/api/checkout/tier'])
    statuses.push((await post(path, path.endsWith('tier') ? { plan_code: 'solo' } : {})).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.slice(0, 2)).not.toContain(429);
  const invited = [];
  for (const n of [1, 2, 3])
    invited.push((await post('/api/auth/invitations', { email: `guest${n}@example.com`, role: 'member' })).status);
  expect(invited).toEqual([201, 201, 429]);
  await strict.close();
});
