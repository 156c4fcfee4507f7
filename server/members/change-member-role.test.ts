import { beforeAll, expect, test } from 'vitest';
import { newId, readId, showId } from '../lib/id.ts';
import { insertGrant } from '../../test/support/apps.ts';
import { addMember, makeKey, signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const change = (as: string, memberId: string, role: string) =>
  service.call('PATCH', `/api/auth/members/${showId('mem', memberId)}`, { as, body: { role } });

async function ownMemberId(userId: string, accountId: string): Promise<string> {
  const own = service.context.db.selectFrom('members').select('id').where('user_id', '=', userId);
  return (await own.where('account_id', '=', accountId).executeTakeFirstOrThrow()).id;
}

test('200: the role holds from the next request on', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  expect((await service.call('GET', '/api/v1/api-keys', { as: member.token })).status).toBe(403);
  const { status, body } = await change(owner.token, member.memberId, 'admin');
  expect([status, body.member.role]).toEqual([200, 'admin']);
  expect((await service.call('GET', '/api/v1/api-keys', { as: member.token })).status).toBe(200);
});

test('200: an owner makes another owner, who may then unmake the first', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  expect((await change(owner.token, admin.memberId, 'owner')).status).toBe(200);
  const first = await ownMemberId(owner.userId, owner.accountId);
  expect((await change(admin.token, first, 'member')).status).toBe(200);
});

test('403 role_required: an admin neither makes nor unmakes owners', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const member = await addMember(service, owner, 'member');
  const first = await ownMemberId(owner.userId, owner.accountId);
  for (const [id, role] of [
    [member.memberId, 'owner'],
    [admin.memberId, 'owner'],
    [first, 'member'],
  ] as const) {
    const { status, body } = await change(admin.token, id, role);
    expect([status, body.error.code]).toEqual([403, 'role_required']);
  }
  expect((await change(admin.token, member.memberId, 'admin')).status).toBe(200);
});

test('403 role_required: member session', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  expect((await change(member.token, member.memberId, 'owner')).status).toBe(403);
});

test('422 invalid_request: the last owner stays', async () => {
  const owner = await signUp(service);
  const { status, body } = await change(owner.token, await ownMemberId(owner.userId, owner.accountId), 'admin');
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  expect(body.error.message).toContain('last owner');
});

test('422 invalid_request: of two owners who unmake each other at the same moment one stays', async () => {
  for (let round = 0; round < 5; round++) {
    const first = await signUp(service);
    const second = await addMember(service, first, 'owner');
    const answers = await Promise.all([
      change(first.token, second.memberId, 'member'),
      change(second.token, await ownMemberId(first.userId, first.accountId), 'member'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const owners = service.context.db.selectFrom('members').select('id').where('role', '=', 'owner');
    expect(await owners.where('account_id', '=', first.accountId).execute()).toHaveLength(1);
  }
});

test('422 invalid_request: an unknown role', async () => {
  const owner = await signUp(service);
  expect((await change(owner.token, newId(), 'operator')).status).toBe(422);
});

test('200: whoever is made a reviewer loses keys and invitations, and their apps only read; back again they order', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const key = await makeKey(service, admin);
  const app = await insertGrant(service, admin);
  const { db } = service.context;
  const grants = db.selectFrom('api_keys').select(['scopes', 'revoked_at']).where('id', '=', readId('key', app));
  await db
    .updateTable('api_keys')
    .set({ scopes: ['api:read', 'api:write'] })
    .where('id', '=', readId('key', app))
    .execute();
  const invited = { email: `${newId()}@example.com`, role: 'reviewer' };
  expect((await service.call('POST', '/api/auth/invitations', { as: admin.token, body: invited })).status).toBe(201);
  const { status, body } = await change(owner.token, admin.memberId, 'reviewer');
  expect([status, body.member.role, body.api_keys.length, body.invitations.length]).toEqual([200, 'reviewer', 1, 1]);
  expect((await service.call('GET', '/api/v1/jobs', { as: key })).status).toBe(401);
  expect(await grants.executeTakeFirst()).toEqual({ scopes: ['api:read'], revoked_at: null });
  expect((await service.call('GET', '/api/v1/intake/sessions', { as: admin.token })).body.error).toMatchObject({
    code: 'role_required',
    message: 'This needs an owner, admin or member of the account.',
  });
  await change(owner.token, admin.memberId, 'member');
  expect((await service.call('GET', '/api/v1/intake/sessions', { as: admin.token })).status).toBe(200);
  expect(await grants.executeTakeFirst()).toEqual({ scopes: ['api:read'], revoked_at: null });
});

test('200: an app that could only write ends when its person becomes a reviewer', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const id = readId('key', await insertGrant(service, admin));
  const { db } = service.context;
  await db
    .updateTable('api_keys')
    .set({ scopes: ['api:write'] })
    .where('id', '=', id)
    .execute();
  await change(owner.token, admin.memberId, 'reviewer');
  const row = await db.selectFrom('api_keys').select('revoked_at').where('id', '=', id).executeTakeFirstOrThrow();
  expect(row.revoked_at).not.toBeNull();
});

const patch = (as: string, memberId: string, body: object) =>
  service.call('PATCH', `/api/auth/members/${showId('mem', memberId)}`, { as, body });

test('200: the orders of a member wait for a person, until another role or the setting ends it', async () => {
  const owner = await signUp(service);
  const { memberId } = await addMember(service, owner, 'member');
  const set = async (body: object) => (await patch(owner.token, memberId, body)).body.member.orders;
  expect(await set({ orders: 'confirmed' })).toBe('confirmed');
  expect(await set({ role: 'member' })).toBe('confirmed');
  expect(await set({ orders: 'direct' })).toBe('direct');
  await set({ orders: 'confirmed' });
  expect(await set({ role: 'admin' })).toBe('direct');
  expect(await set({ role: 'member' })).toBe('direct');
  expect(await set({ role: 'member', orders: 'confirmed' })).toBe('confirmed');
});

test('422 invalid_request: an owner, admin or reviewer whose orders wait, and a body that changes nothing', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const reviewer = await addMember(service, owner, 'reviewer');
  for (const { memberId } of [admin, reviewer]) {
    const { status, body } = await patch(owner.token, memberId, { orders: 'confirmed' });
    expect([status, body.error.details[0].location]).toEqual([422, '/orders']);
  }
  expect((await patch(owner.token, admin.memberId, {})).status).toBe(422);
  expect((await patch(owner.token, admin.memberId, { role: 'reviewer', orders: 'confirmed' })).status).toBe(422);
});

test('403 role_required: a member lifts their own setting', async () => {
  const owner = await signUp(service);
  const { memberId, token } = await addMember(service, owner, 'member');
  await patch(owner.token, memberId, { orders: 'confirmed' });
  expect((await patch(token, memberId, { orders: 'direct' })).body.error.code).toBe('role_required');
});
