import { beforeAll, expect, test } from 'vitest';
import { newId, showId } from '../lib/id.ts';
import { addMember, signUp } from '../../test/support/people.ts';
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
