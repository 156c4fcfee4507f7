import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { showId } from '../lib/id.ts';
import { addMember, makeKey, signUp, type TestPerson } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const leave = (as: string, { accountId }: TestPerson) =>
  service.call('POST', `/api/auth/accounts/${showId('acct', accountId)}/leave`, { as });

test('200: keys and invitations end, and the session acts for the own account', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const key = await makeKey(service, admin);
  const body = { email: 'third@example.com', role: 'member' };
  await service.call('POST', '/api/auth/invitations', { as: admin.token, body });
  const answer = await leave(admin.token, owner);
  expect(answer.body).toMatchObject({
    account: { name: 'The admin', role: 'owner', active: true },
    api_keys: [{ status: 'revoked' }],
    invitations: [{ status: 'canceled' }],
  });
  expect((await service.call('GET', '/api/v1/me', { as: key })).status).toBe(401);
  expect((await service.call('GET', '/api/v1/me', { as: admin.token })).body.account.name).toBe('The admin');
});

test('200: of two owners who leave at once one stays', async () => {
  const owner = await signUp(service);
  const second = await addMember(service, owner, 'owner');
  const answers = await Promise.all([leave(owner.token, owner), leave(second.token, owner)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('200: ownership is handed over by making another owner and leaving', async () => {
  const owner = await signUp(service);
  const heir = await addMember(service, owner, 'member');
  expect((await leave(owner.token, owner)).status).toBe(422);
  const role = { as: owner.token, body: { role: 'owner' } };
  await service.call('PATCH', `/api/auth/members/${showId('mem', heir.memberId)}`, role);
  const { body } = await leave(owner.token, owner);
  expect(body.account).toBeNull();
  const { members } = (await service.call('GET', '/api/auth/members', { as: heir.token })).body;
  expect(members).toMatchObject([{ user: { id: showId('user', heir.userId) }, role: 'owner' }]);
});

test('422 invalid_request: the last owner', async () => {
  const ada = await signUp(service);
  expect((await leave(ada.token, ada)).body.error.action).toContain('owner first');
});
