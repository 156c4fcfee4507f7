import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { readId, showId } from '../lib/id.ts';
import { sharedStudio, post, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const path = '/api/operator/v1/worker-keys';
const create = (body: object, as: string | { cookie: string } = studio.operator.token) =>
  studio.service.call('POST', path, { as, body });

test('201: the plaintext once, for every family', async () => {
  const { status, body } = await create({ name: 'robot' });
  expect(status).toBe(201);
  expect(body.worker_key).toEqual({
    id: expect.stringMatching(/^wkey_[0-9a-z]{26}$/),
    name: 'robot',
    prefix: body.plaintext_key.split('_')[1],
    service_families: null,
    status: 'active',
    created_by: { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' },
    created_at: expect.any(String),
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
  });
  expect(body.plaintext_key).toMatch(/^atw_[0-9a-hjkmnp-tv-z]{8}_[0-9A-Za-z]{49}$/);
  const kept = await studio.service.context.db.selectFrom('worker_keys').selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(body.plaintext_key.split('_')[2]);
});

test('201: limited to families', async () => {
  const { status, body } = await create({ name: 'designer', service_families: ['design'] });
  expect([status, body.worker_key.service_families]).toEqual([201, ['design']]);
});

test('201: a key that expires stops at that time, and its holder learns why', async () => {
  const { service } = studio;
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { status, body } = await create({ name: 'robot', expires_at: later });
  expect([status, body.worker_key.expires_at]).toEqual([201, later]);
  const claim = () =>
    post(service, body.plaintext_key, '/api/operator/v1/jobs/claim', { service_families: ['nothing'] });
  expect((await claim()).status).toBe(204);
  const expires_at = new Date(Date.now() - 1000).toISOString();
  await service.context.db
    .updateTable('worker_keys')
    .set({ expires_at })
    .where('id', '=', readId('wkey', body.worker_key.id))
    .execute();
  await expect.poll(async () => (await claim()).status).toBe(401);
  const { error } = (await claim()).body;
  expect(error).toMatchObject({ code: 'unauthenticated', message: `This worker key expired on ${expires_at}.` });
  expect(error.action).toBe('An operator of the studio can make a new one at http://localhost:3000/desk/workers.');
  const { worker_keys } = (await service.call('GET', path, { as: studio.operator.token })).body;
  const shown = worker_keys.find(({ id }: { id: string }) => id === body.worker_key.id);
  expect(shown).toMatchObject({ status: 'expired', revoked_at: null });
});

test('403 role_required: a customer; credential_not_accepted: an API key, and a worker itself', async () => {
  const { plaintext_key: worker } = (await create({ name: 'robot' })).body;
  expect((await create({ name: 'x' }, studio.ada.token)).body.error.code).toBe('role_required');
  for (const as of [studio.key, worker])
    expect((await create({ name: 'x' }, as)).body.error.code).toBe('credential_not_accepted');
});

test('403 csrf_token_invalid: a cookie without the token', async () => {
  const { body } = await create({ name: 'x' }, { cookie: studio.operator.cookie });
  expect(body.error.code).toBe('csrf_token_invalid');
});

test('422 unsupported_service: a family that the catalog does not have', async () => {
  const { status, body } = await create({ name: 'x', service_families: ['design', 'nonsense'] });
  expect([status, body.error.code]).toEqual([422, 'unsupported_service']);
  expect(body.error.details).toMatchObject([{ location: '/service_families/1' }]);
});

test.each([
  [{}, '/name'],
  [{ name: 'www.evil.example' }, '/name'],
  [{ name: 'evil.example/pay' }, '/name'],
  [{ name: 'x', service_families: [] }, '/service_families'],
  [{ name: 'x', service_families: ['design', 'design'] }, '/service_families'],
  [{ name: 'x', lease_seconds: 5 }, '/lease_seconds'],
  [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
  [{ name: 'x', expires_at: 'tomorrow' }, '/expires_at'],
])('422 invalid_request: %j', async (given, location) => {
  const { status, body } = await create(given);
  expect([status, body.error.details[0].location]).toEqual([422, location]);
});

test('a worker key opens the desk only, and no other reading of it', async () => {
  const { plaintext_key: worker } = (await create({ name: 'robot' })).body;
  const { service } = studio;
  for (const address of [
    '/api/v1/jobs',
    '/api/v1/me',
    '/api/auth/accounts',
    '/api/v1/api-keys',
    '/api/operator/v1/jobs',
  ])
    expect((await service.call('GET', address, { as: worker })).body.error.code, address).toBe(
      'credential_not_accepted',
    );
  const mistyped = worker.replace(/.$/, (last: string) => (last === 'a' ? 'b' : 'a'));
  for (const as of [mistyped, worker.replace('atw_', 'atl_')])
    expect((await post(service, as, '/api/operator/v1/jobs/claim', {})).status).toBe(401);
});

test('403 limit_reached: the 101st active key of an operator, also of six made at once; a revoked one makes room', async () => {
  const { service } = studio;
  const { token, userId } = await makeOperator(service);
  const other = await create({ name: 'one of many' }, token);
  await sql`
    insert into worker_keys (id, created_by, name, prefix, secret_sha256)
    select uuidv7(), ${userId}, 'one of many', substr(md5(${userId} || n), 1, 8), decode(repeat('00', 32), 'hex')
    from generate_series(1, 98) n`.execute(service.context.db);
  const answers = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'one of many' }, token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403, 403, 403]);
  expect(answers.find(({ status }) => status === 403)?.body.error).toMatchObject({
    code: 'limit_reached',
    message: 'You have 100 active worker keys; you may have 100.',
  });
  expect((await service.call('DELETE', `${path}/${other.body.worker_key.id}`, { as: token })).status).toBe(200);
  expect((await create({ name: 'one of many' }, token)).status).toBe(201);
});
