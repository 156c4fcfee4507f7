import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('429 rate_limit_exceeded: the key first, then the account, whoever asks', async () => {
  const first = await create(key);
  expect(first.status).toBe(201);
  expect(first.headers.get('ratelimit-policy')).toBe('"account";q=6;w=60, "key";q=3;w=60');
  expect(first.headers.get('ratelimit')).toMatch(/^"account";r=5;t=\d+, "key";r=2;t=\d+$/);
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
