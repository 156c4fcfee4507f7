import { beforeAll, expect, test } from 'vitest';
import { addMember, makeKey, signUp, signUpUnverified } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/v1/api-keys';

test('201: the plaintext once, with both scopes', async () => {
  const owner = await signUp(service);
  const { status, body } = await service.call('POST', path, { as: owner.token, body: { name: 'build agent' } });
  expect(status).toBe(201);
  expect(body.api_key).toMatchObject({
    name: 'build agent',
    scopes: ['api:read', 'api:write'],
    status: 'active',
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
  });
  expect(body.plaintext_key).toMatch(/^atl_[0-9a-hjkmnp-tv-z]{8}_[0-9A-Za-z]{49}$/);
  expect(body.plaintext_key.split('_')[1]).toBe(body.api_key.prefix);
  const kept = await service.context.db.selectFrom('api_keys').selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(body.plaintext_key.split('_')[2]);
});

test('201: without the blanks around its name', async () => {
  const { token } = await signUp(service);
  const { body } = await service.call('POST', path, { as: token, body: { name: '  build agent ' } });
  expect(body.api_key.name).toBe('build agent');
});

test('201: an admin, with fewer scopes and an end', async () => {
  const admin = await addMember(service, await signUp(service), 'admin');
  const body = { name: 'reader', scopes: ['api:read'], expires_at: '2099-01-01T00:00:00Z' };
  const answer = await service.call('POST', path, { as: admin.token, body });
  expect(answer.status).toBe(201);
  expect(answer.body.api_key).toMatchObject({ scopes: ['api:read'], expires_at: '2099-01-01T00:00:00.000Z' });
});

test('201: a repeat with the same Idempotency-Key names the first key and shows no plaintext', async () => {
  const owner = await signUp(service);
  const headers = { 'idempotency-key': 'once' };
  const ask = () => service.call('POST', path, { as: owner.token, body: { name: 'agent' }, headers });
  const [first, second] = [await ask(), await ask()];
  expect([first.status, second.status]).toEqual([201, 201]);
  const next_action = `The key was shown once. If it is lost, replace it with POST ${path}/${first.body.api_key.id}/rotate.`;
  expect(second.body).toEqual({ api_key: first.body.api_key, plaintext_key: null, next_action });
  const rotated = await service.call('POST', `${path}/${first.body.api_key.id}/rotate`, { as: owner.token, body: {} });
  expect(rotated.status).toBe(201);
});

test('403 role_required: member session; credential_not_accepted: an API key', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  const refused = [
    [member.token, 'role_required'],
    [await makeKey(service, owner), 'credential_not_accepted'],
  ] as const;
  for (const [as, code] of refused) {
    const { status, body } = await service.call('POST', path, { as, body: { name: 'x' } });
    expect([status, body.error.code]).toEqual([403, code]);
  }
});

test('403 csrf_token_invalid: a cookie without the token', async () => {
  const { cookie } = await signUp(service);
  const { status, body } = await service.call('POST', path, { as: { cookie }, body: { name: 'x' } });
  expect([status, body.error.code]).toEqual([403, 'csrf_token_invalid']);
});

test.each([
  ['no name', {}, '/name'],
  ['a name with www.', { name: 'pay at www.evil.example' }, '/name'],
  ['a name with a slash', { name: 'evil.example/pay' }, '/name'],
  ['an end in the past', { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
  ['no scope', { name: 'x', scopes: [] }, '/scopes'],
  ['an unknown scope', { name: 'x', scopes: ['api:admin'] }, '/scopes/0'],
  ['a scope twice', { name: 'x', scopes: ['api:read', 'api:read'] }, '/scopes'],
  ['another account', { name: 'x', account_id: 'acct_1' }, '/account_id'],
  ...[
    '2099-02-30T00:00:00Z',
    '2099-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '2099-01-01T00:00:00',
    '2099-01-01',
    '',
  ].map((expires_at): [string, object, string] => [
    `an end at "${expires_at}"`,
    { name: 'x', expires_at },
    '/expires_at',
  ]),
])('422 invalid_request: %s', async (_, body, location) => {
  const { token } = await signUp(service);
  const answer = await service.call('POST', path, { as: token, body });
  expect([answer.status, answer.body.error.details[0].location]).toEqual([422, location]);
});

test('422 invalid_request: thousands of scopes are refused soon', async () => {
  const { token } = await signUp(service);
  const body = { name: 'agent', scopes: Array.from({ length: 9_000 }, () => 1) };
  const began = performance.now();
  const answer = await service.call('POST', path, { as: token, body });
  expect([answer.status, answer.body.error.details]).toEqual([
    422,
    [{ location: '/scopes', message: 'must have at most 2 entries' }],
  ]);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('403 limit_reached: the 101st active key, also of many made at once; a revoked one makes room', async () => {
  const { token: as } = await signUp(service);
  const make = () => service.call('POST', path, { as, body: { name: 'one of many' } });
  const answers = [];
  for (let round = 0; round < 11; round++) answers.push(...(await Promise.all(Array.from({ length: 10 }, make))));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
  expect(answers.at(-1)?.body.error).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('100') });
  const made = answers.find(({ status }) => status === 201)?.body.api_key.id;
  expect((await service.call('DELETE', `${path}/${made}`, { as })).status).toBe(200);
  expect((await make()).status).toBe(201);
});

test('403 email_unverified: an address that nobody proved makes no key', async () => {
  const { token: as } = await signUpUnverified(service);
  const { status, body } = await service.call('POST', path, { as, body: { name: 'mine' } });
  expect([status, body.error.code]).toEqual([403, 'email_unverified']);
});

test('422 invalid_request: a name of almost half a megabyte is refused soon', async () => {
  const owner = await signUp(service);
  const began = performance.now();
  const body = { name: `${'a'.repeat(500_000)}\u0001` };
  const answer = await service.call('POST', path, { as: owner.token, body });
  expect([answer.status, answer.body.error.details[0].location]).toEqual([422, '/name']);
  expect(performance.now() - began).toBeLessThan(10_000);
});
