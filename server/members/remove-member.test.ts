import { beforeAll, expect, test } from 'vitest';
import { showId } from '../lib/id.ts';
import { addMember, alsoMember, makeKey, signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const remove = (as: string, memberId: string) =>
  service.call('DELETE', `/api/auth/members/${showId('mem', memberId)}`, { as });

test('200: the session of a removed member stops acting for the account at once', async () => {
  const owner = await signUp(service);
  const member = await addMember(service, owner, 'member');
  expect((await service.call('GET', '/api/auth/members', { as: member.token })).status).toBe(200);
  const { status, body } = await remove(owner.token, member.memberId);
  expect([status, body.member.id]).toEqual([200, showId('mem', member.memberId)]);

  const refused = await service.call('GET', '/api/auth/members', { as: member.token });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'no_active_account']);
  const mine = await service.call('GET', '/api/auth/accounts', { as: member.token });
  expect(mine.body.accounts).toMatchObject([{ role: 'owner', active: false }]);
  const own = await service.call('POST', `/api/auth/accounts/${mine.body.accounts[0].id}/switch`, { as: member.token });
  expect(own.status).toBe(200);
});

test('200: pending invitations by the removed member are canceled', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const body = { email: 'accomplice@example.com', role: 'admin' };
  await service.call('POST', '/api/auth/invitations', { as: admin.token, body });
  await remove(owner.token, admin.memberId);
  const { invitations } = (await service.call('GET', '/api/auth/invitations', { as: owner.token })).body;
  expect(invitations).toMatchObject([{ email: body.email, status: 'canceled' }]);
});

test('200: the keys of the removed member stop working, and are listed', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const [theirs, mine] = [await makeKey(service, admin), await makeKey(service, owner)];
  const { body } = await remove(owner.token, admin.memberId);
  expect(body.api_keys).toMatchObject([{ status: 'revoked', created_by: { id: showId('user', admin.userId) } }]);
  expect((await service.call('GET', '/api/v1/me', { as: theirs })).status).toBe(401);
  expect((await service.call('GET', '/api/v1/me', { as: mine })).status).toBe(200);
});

test('200: the removed member keeps their keys and webhook endpoints of other accounts', async () => {
  const [owner, other] = [await signUp(service), await signUp(service)];
  const admin = await addMember(service, owner, 'admin');
  const there = await alsoMember(service, admin, other, 'admin');
  const [here, elsewhere] = [await makeKey(service, admin), await makeKey(service, there)];
  const hook = { url: 'https://hooks.example.com/' };
  const { body: kept } = await service.call('POST', '/api/v1/webhook-endpoints', { as: there.token, body: hook });

  expect((await remove(owner.token, admin.memberId)).body.api_keys).toHaveLength(1);
  expect((await service.call('GET', '/api/v1/me', { as: here })).status).toBe(401);
  expect((await service.call('GET', '/api/v1/me', { as: elsewhere })).status).toBe(200);
  const { api_keys } = (await service.call('GET', '/api/v1/api-keys', { as: other.token })).body;
  expect(api_keys).toMatchObject([{ status: 'active', created_by: { id: showId('user', admin.userId) } }]);
  const { webhook_endpoints } = (await service.call('GET', '/api/v1/webhook-endpoints', { as: other.token })).body;
  expect(webhook_endpoints).toEqual([kept.webhook_endpoint]);
});

test('200: with take_over their keys go to who removes, and go on working', async () => {
  const owner = await signUp(service, 'Olga');
  const admin = await addMember(service, owner, 'admin');
  const theirs = await makeKey(service, admin);
  const path = `/api/auth/members/${showId('mem', admin.memberId)}`;
  const { body } = await service.call('DELETE', path, { as: owner.token, body: { take_over: true } });
  const heir = { id: showId('user', owner.userId), name: 'Olga' };
  expect(body.api_keys).toMatchObject([{ status: 'active', created_by: heir }]);
  expect((await service.call('GET', '/api/v1/me', { as: theirs })).status).toBe(200);
});

test('200: who removes themselves takes no keys over', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const theirs = await makeKey(service, admin);
  const path = `/api/auth/members/${showId('mem', admin.memberId)}`;
  const { body } = await service.call('DELETE', path, { as: admin.token, body: { take_over: true } });
  expect(body.api_keys).toMatchObject([{ status: 'revoked' }]);
  expect((await service.call('GET', '/api/v1/me', { as: theirs })).status).toBe(401);
});

test('200: a key that is being made at the same moment does not outlive its maker', async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await signUp(service);
    const admin = await addMember(service, owner, 'admin');
    const making = Array.from({ length: 4 }, () =>
      service.call('POST', '/api/v1/api-keys', { as: admin.token, body: { name: 'late' } }),
    );
    await Promise.all([remove(owner.token, admin.memberId), ...making]);
    const { api_keys } = (await service.call('GET', '/api/v1/api-keys', { as: owner.token })).body;
    expect(api_keys.filter(({ status }: { status: string }) => status === 'active')).toEqual([]);
  }
});

test('403 role_required: an admin does not remove an owner, and a member removes nobody', async () => {
  const owner = await signUp(service);
  const second = await addMember(service, owner, 'owner');
  const admin = await addMember(service, owner, 'admin');
  const member = await addMember(service, owner, 'member');
  for (const [as, id] of [
    [admin.token, second.memberId],
    [member.token, member.memberId],
  ] as const)
    expect((await remove(as, id)).body.error.code).toBe('role_required');
});

test('422 invalid_request: the last owner stays', async () => {
  const owner = await signUp(service);
  const second = await addMember(service, owner, 'owner');
  expect((await remove(owner.token, second.memberId)).status).toBe(200);
  const [own] = (await service.call('GET', '/api/auth/members', { as: owner.token })).body.members;
  const { status, body } = await service.call('DELETE', `/api/auth/members/${own.id}`, { as: owner.token });
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});

test('404 member_not_found: somebody of another account, and somebody removed already', async () => {
  const [owner, stranger] = [await signUp(service), await signUp(service)];
  const member = await addMember(service, stranger, 'member');
  expect((await remove(owner.token, member.memberId)).status).toBe(404);
  expect((await remove(stranger.token, member.memberId)).status).toBe(200);
  expect((await remove(stranger.token, member.memberId)).status).toBe(404);
});
