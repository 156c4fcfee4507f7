import { beforeAll, expect, test } from 'vitest';
import { addMember, signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/invitations';

test('200: newest first, those of the account only, with what time has made of them', async () => {
  const owner = await signUp(service);
  const stranger = await signUp(service);
  for (const [as, email] of [
    [owner, 'a@example.com'],
    [owner, 'b@example.com'],
    [stranger, 'c@example.com'],
  ] as const)
    await service.call('POST', path, { as: as.token, body: { email, role: 'member' } });
  await service.context.db
    .updateTable('invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('email', '=', 'a@example.com')
    .execute();
  const { status, body } = await service.call('GET', path, { as: owner.token });
  expect(status).toBe(200);
  expect(body.invitations).toMatchObject([
    { email: 'b@example.com', status: 'pending' },
    { email: 'a@example.com', status: 'expired' },
  ]);
});

test('403 role_required: member session', async () => {
  const member = await addMember(service, await signUp(service), 'member');
  expect((await service.call('GET', path, { as: member.token })).status).toBe(403);
});

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const ada = await signUp(service);
  const { status, body } = await service.call('GET', `${path}?${query}`, { as: ada.token });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
