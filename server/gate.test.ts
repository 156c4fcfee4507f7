import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMember, makeKey, makeOperator, signUp, type TestPerson } from '../test/people.ts';
import { openService, type Service } from '../test/harness.ts';
import { newId, showId } from './kit/id.ts';

let service: Service;
let owner: TestPerson;
let member: TestPerson;
let homeless: TestPerson;
let readKey: string;
let writeKey: string;

beforeAll(async () => {
  service = await openService();
  owner = await signUp(service);
  member = await addMember(service, owner, 'member');
  homeless = await signUp(service);
  await service.house.db.deleteFrom('auth.member').where('user_id', '=', homeless.userId).execute();
  readKey = await makeKey(service, owner, ['api:read']);
  writeKey = await makeKey(service, owner, ['api:write']);
});
afterAll(() => service.close());

const ask = async (method: string, path: string, as: string | null) => {
  const { status, body } = await service.call(method, path, { as });
  return { status, code: body?.error?.code, message: body?.error?.message };
};
const job = () => `/api/v1/jobs/${showId('job', newId())}`;

test('person lines: 401 for nobody, 403 role_required for a key, a session without an account passes', async () => {
  expect(await ask('GET', '/api/auth/accounts', null)).toMatchObject({ status: 401, code: 'unauthenticated' });
  expect(await ask('GET', '/api/auth/accounts', readKey)).toMatchObject({ status: 403, code: 'role_required' });
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

test('caller and manager lines: 403 role_required for a session without an account', async () => {
  for (const path of ['/api/auth/members', '/api/v1/api-keys']) {
    const refused = await ask('GET', path, homeless.token);
    expect(refused).toMatchObject({ status: 403, code: 'role_required' });
    expect(refused.message).toContain('no account');
  }
});

test('manager lines: owner and admin pass, members and keys do not', async () => {
  expect(await ask('GET', '/api/v1/api-keys', owner.token)).toMatchObject({ status: 200 });
  for (const as of [member.token, readKey])
    expect(await ask('GET', '/api/v1/api-keys', as)).toMatchObject({ status: 403, code: 'role_required' });
});

test('operator lines: only an operator passes, whatever the role in an account', async () => {
  const operator = await makeOperator(service);
  expect(await ask('GET', '/api/operator/v1/jobs', operator.token)).toMatchObject({ status: 200 });
  for (const as of [owner.token, member.token, readKey])
    expect(await ask('GET', '/api/operator/v1/jobs', as)).toMatchObject({ status: 403, code: 'role_required' });
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

test('the credential is judged before the body', async () => {
  const { status } = await service.call('POST', '/api/v1/api-keys', {
    raw: '{',
    headers: { 'content-type': 'text/plain' },
  });
  expect(status).toBe(401);
});

test('503 service_unavailable: a database that does not answer is neither a 401 nor a 500', async () => {
  const locked = await service.house.db.startTransaction().execute();
  await sql`lock table auth.session, api_keys in access exclusive mode`.execute(locked);
  const asked = await Promise.all([owner.token, readKey].map((as) => service.call('GET', '/api/auth/members', { as })));
  await locked.rollback().execute();
  for (const { status, body, headers } of asked) {
    expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
    expect(headers.get('retry-after')).toBe('2');
  }
});
