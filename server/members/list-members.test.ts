import { beforeAll, expect, test } from 'vitest';
import { showId } from '../lib/id.ts';
import { addMember, makeKey, signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('200: the members of the active account, oldest first, for sessions and keys', async () => {
  const owner = await signUp(service, 'Olga');
  const member = await addMember(service, owner, 'member');
  await signUp(service, 'A stranger');
  for (const as of [owner.token, member.token, await makeKey(service, owner, ['api:read'])]) {
    const { status, body } = await service.call('GET', '/api/auth/members', { as });
    expect(status).toBe(200);
    expect(body.members.map((one: { role: string }) => one.role)).toEqual(['owner', 'member']);
    expect(body.members[0]).toEqual({
      id: expect.stringMatching(/^mem_/),
      user: { id: showId('user', owner.userId), name: 'Olga', email: owner.email },
      role: 'owner',
      orders: 'direct',
      created_at: expect.any(String),
    });
  }
});

test('401 unauthenticated: nobody', async () => {
  expect((await service.call('GET', '/api/auth/members')).status).toBe(401);
});

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const ada = await signUp(service);
  const { status, body } = await service.call('GET', `/api/auth/members?${query}`, { as: ada.token });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
