import { beforeAll, expect, test } from 'vitest';
import { addMember, makeKey, signUp } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/v1/api-keys';
const create = (as: string, body: object = { name: 'agent' }) => service.call('POST', path, { as, body });
const rotate = (as: string, id: string, body: object = {}) =>
  service.call('POST', `${path}/${id}/rotate`, { as, body });
const status = async (as: string) => (await service.call('GET', '/api/v1/me', { as })).status;

test('201: a new key with the same name and scopes; the old one ends after a day', async () => {
  const { token } = await signUp(service);
  const { body: old } = await create(token, { name: 'reader', scopes: ['api:read'] });
  const { status: code, body } = await rotate(token, old.api_key.id);
  expect(code).toBe(201);
  expect(body.api_key).toMatchObject({ name: 'reader', scopes: ['api:read'], status: 'active', expires_at: null });
  expect(body.replaced).toMatchObject({ id: old.api_key.id, status: 'active' });
  const hours = (Date.parse(body.replaced.expires_at) - Date.now()) / 3_600_000;
  expect(Math.round(hours * 10) / 10).toBe(24);
  expect([await status(old.plaintext_key), await status(body.plaintext_key)]).toEqual([200, 200]);
});

test('201: without grace the old one stops at once; an end that comes earlier stays', async () => {
  const { token } = await signUp(service);
  const { body: old } = await create(token);
  const { body } = await rotate(token, old.api_key.id, { overlap_hours: 0 });
  expect(body.replaced.status).toBe('expired');
  expect([await status(old.plaintext_key), await status(body.plaintext_key)]).toEqual([401, 200]);

  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const { body: short } = await create(token, { name: 'short', expires_at: soon });
  const { body: next } = await rotate(token, short.api_key.id, { overlap_hours: 168 });
  expect([next.replaced.expires_at, next.api_key.expires_at]).toEqual([soon, soon]);
});

test('403 role_required: a member', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  const { body } = await create(owner.token);
  expect((await rotate(member.token, body.api_key.id)).body.error.code).toBe('role_required');
});

test('403 limit_reached: with 100 active keys, unless the old one ends at once', async () => {
  const owner = await signUp(service);
  const { body } = await create(owner.token);
  for (let round = 0; round < 9; round++) await Promise.all(Array.from({ length: 11 }, () => makeKey(service, owner)));
  expect((await rotate(owner.token, body.api_key.id)).body.error.code).toBe('limit_reached');
  expect((await rotate(owner.token, body.api_key.id, { overlap_hours: 0 })).status).toBe(201);
});

test('422 invalid_request: a revoked key, and a grace of more than a week', async () => {
  const { token } = await signUp(service);
  const { body } = await create(token);
  expect((await rotate(token, body.api_key.id, { overlap_hours: 169 })).status).toBe(422);
  await service.call('DELETE', `${path}/${body.api_key.id}`, { as: token });
  expect((await rotate(token, body.api_key.id)).status).toBe(422);
});

test('422 invalid_request: rotated already, so that no new key inherits the end of the grace; of two at once one succeeds', async () => {
  const { token } = await signUp(service);
  const { body: old } = await create(token);
  const answers = await Promise.all(Array.from({ length: 4 }, () => rotate(token, old.api_key.id)));
  const [made, ...others] = answers.filter(({ status }) => status === 201);
  expect([made?.body.api_key.expires_at, others]).toEqual([null, []]);
  const { body } = await rotate(token, old.api_key.id, { overlap_hours: 0 });
  expect(body.error).toMatchObject({
    code: 'invalid_request',
    message: 'The key was already rotated.',
    action: 'Rotate the newer key, or create one with POST /api/v1/api-keys.',
  });
  expect((await rotate(token, made?.body.api_key.id)).status).toBe(201);
});

test('200: a key that is deleted while it is rotated works no more, whichever comes first', async () => {
  const { token } = await signUp(service);
  for (let round = 0; round < 8; round++) {
    const { body: old } = await create(token);
    const [rotated, deleted] = await Promise.all([
      rotate(token, old.api_key.id),
      service.call('DELETE', `${path}/${old.api_key.id}`, { as: token }),
    ]);
    expect([deleted.status, [201, 422].includes(rotated.status)]).toEqual([200, true]);
    expect(await status(old.plaintext_key)).toBe(401);
    if (rotated.status === 201) expect(await status(rotated.body.plaintext_key)).toBe(200);
  }
});

test('200: a key that is rotated while its maker is removed does not outlive them, nor does the new one', async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await signUp(service);
    const admin = await addMember(service, owner, 'admin');
    const { body: old } = await create(admin.token);
    const [, removed] = await Promise.all([
      rotate(admin.token, old.api_key.id),
      service.call('DELETE', `/api/auth/members/${showId('mem', admin.memberId)}`, { as: owner.token }),
    ]);
    expect(removed.status).toBe(200);
    const { api_keys } = (await service.call('GET', path, { as: owner.token })).body;
    expect(api_keys.filter(({ status }: { status: string }) => status === 'active')).toEqual([]);
  }
});
