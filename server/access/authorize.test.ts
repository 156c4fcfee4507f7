import { sql } from 'kysely';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { cancelBlocked, untilBlocked } from '../../test/support/locks.ts';
import { addMember, makeKey, makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { mintKey } from '../keys/key-finder.ts';
import { newId, showId } from '../lib/id.ts';

let service: Service;
let owner: TestPerson;
let member: TestPerson;
let homeless: TestPerson;
let readKey: string;
let writeKey: string;

beforeAll(async () => {
  service = await sharedService();
  owner = await signUp(service);
  member = await addMember(service, owner, 'member');
  homeless = await signUp(service);
  await service.context.db.deleteFrom('members').where('user_id', '=', homeless.userId).execute();
  readKey = await makeKey(service, owner, ['api:read']);
  writeKey = await makeKey(service, owner, ['api:write']);
});

const ask = async (method: string, path: string, as: string | null) => {
  const { status, body } = await service.call(method, path, { as });
  return { status, code: body?.error?.code, message: body?.error?.message };
};
const job = () => `/api/v1/jobs/${showId('job', newId())}`;

test('person lines: 401 for nobody, 403 credential_not_accepted for a key, a session without an account passes', async () => {
  expect(await ask('GET', '/api/auth/accounts', null)).toMatchObject({ status: 401, code: 'unauthenticated' });
  expect(await ask('GET', '/api/auth/accounts', readKey)).toMatchObject({
    status: 403,
    code: 'credential_not_accepted',
  });
  expect(await ask('GET', '/api/auth/accounts', homeless.token)).toMatchObject({ status: 200 });
});

test('caller lines: 403 insufficient_scope names the scope that a key lacks', async () => {
  expect(await ask('GET', '/api/auth/members', readKey)).toMatchObject({ status: 200 });
  const reading = await ask('GET', '/api/auth/members', writeKey);
  expect(reading).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(reading.message).toContain('api:read');
  const writing = await ask('POST', `${job()}/cancel`, readKey);
  expect(writing).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(writing.message).toContain('api:write');
  expect(await ask('POST', `${job()}/cancel`, writeKey)).toMatchObject({ status: 404 });
});

test('caller and manager lines: 403 no_active_account for a session without one', async () => {
  for (const path of ['/api/auth/members', '/api/v1/api-keys']) {
    const refused = await ask('GET', path, homeless.token);
    expect(refused).toMatchObject({ status: 403, code: 'no_active_account' });
    expect(refused.message).toContain('no active account');
  }
});

test('manager lines: owner and admin pass, members and keys do not', async () => {
  expect(await ask('GET', '/api/v1/api-keys', owner.token)).toMatchObject({ status: 200 });
  expect(await ask('GET', '/api/v1/api-keys', member.token)).toMatchObject({ status: 403, code: 'role_required' });
  expect(await ask('GET', '/api/v1/api-keys', readKey)).toMatchObject({ status: 403, code: 'credential_not_accepted' });
});

test('operator lines: only an operator passes, whatever the role in an account', async () => {
  const operator = await makeOperator(service);
  expect(await ask('GET', '/api/operator/v1/jobs', operator.token)).toMatchObject({ status: 200 });
  for (const as of [owner.token, member.token])
    expect(await ask('GET', '/api/operator/v1/jobs', as)).toMatchObject({ status: 403, code: 'role_required' });
  const byKey = await ask('GET', '/api/operator/v1/jobs', readKey);
  expect(byKey).toMatchObject({ status: 403, code: 'credential_not_accepted' });
  const desk = `/api/operator/v1/jobs/${showId('job', newId())}/accept`;
  expect(await ask('POST', desk, owner.token)).toMatchObject({ status: 403, code: 'role_required' });
  expect((await service.call('POST', desk, { as: { cookie: operator.cookie } })).body.error.code).toBe(
    'csrf_token_invalid',
  );
  expect((await service.call('POST', desk, { as: operator })).status).toBe(404);
});

test('public lines never look at a credential', async () => {
  const headers = { authorization: 'Bearer junk' };
  expect((await service.call('GET', '/api/v1/openapi.json', { headers })).status).toBe(200);
});

test('the credential is verified before the body', async () => {
  const { status } = await service.call('POST', '/api/v1/api-keys', {
    raw: '{',
    headers: { 'content-type': 'text/plain' },
  });
  expect(status).toBe(401);
});

test('401 unauthenticated: no credential is refused sooner than one can be looked up', async () => {
  const { plaintext } = mintKey('atl');
  for (const as of [plaintext, `${plaintext}x`, 'atl_', mintKey('atw').plaintext, 'junk', `${owner.token}x`, null]) {
    const times = [];
    for (let n = 0; n < 10; n++) {
      const began = performance.now();
      expect(await ask('GET', '/api/auth/members', as)).toMatchObject({ status: 401 });
      times.push(performance.now() - began);
    }
    // A busy machine only adds. Without the wait the fastest of ten takes a millisecond.
    expect(Math.min(...times), String(as).slice(0, 5)).toBeGreaterThan(3);
  }
});

test('401 unauthenticated, and no fault of ours, for callers who hang up before they are refused', async () => {
  const refusalsCounted = async (code: string) => {
    const { body } = await service.call('GET', '/metrics');
    return Number(new RegExp(`atelier_refusals_total{code="${code}"} (\\d+)`).exec(body)?.[1] ?? 0);
  };
  const before = [await refusalsCounted('unauthenticated'), await refusalsCounted('internal_error')];
  const { hostname, port } = new URL(service.url);
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(port), hostname);
    socket.write('GET /api/v1/jobs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer junk\r\n\r\n', () => socket.destroy());
  }
  await expect.poll(() => refusalsCounted('unauthenticated')).toBe((before[0] ?? 0) + 20);
  expect(await refusalsCounted('internal_error')).toBe(before[1]);
});

test('503 service_unavailable: a database that does not answer is neither a 401 nor a 500', async () => {
  const locked = await service.context.db.startTransaction().execute();
  await sql`lock table sessions, api_keys in access exclusive mode`.execute(locked);
  const requests = [owner.token, readKey].map((as) => service.call('GET', '/api/auth/members', { as }));
  await untilBlocked(service.context.db, 2);
  await cancelBlocked(service.context.db);
  const answers = await Promise.all(requests);
  await locked.rollback().execute();
  for (const { status, body, headers } of answers) {
    expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
    expect(headers.get('retry-after')).toBe('2');
  }
});
