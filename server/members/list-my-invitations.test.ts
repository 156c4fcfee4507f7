import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { signUp, signUpUnverified } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('200: the open ones to the verified address, newest first', async () => {
  const [olga, bob] = [await signUp(service, 'Olga'), await signUp(service, 'Bob')];
  const ada = await signUpUnverified(service);
  for (const by of [olga, bob])
    await service.call('POST', '/api/auth/invitations', { as: by.token, body: { email: ada.email, role: 'member' } });
  const list = async () => (await service.call('GET', '/api/auth/my-invitations', { as: ada.token })).body.invitations;
  expect(await list()).toEqual([]);
  const { db } = service.context;
  await db.updateTable('people').set({ email_verified: true }).where('id', '=', ada.userId).execute();
  expect(await list()).toMatchObject([{ account_name: 'Bob' }, { account_name: 'Olga' }]);
  await service.call('POST', `/api/auth/invitations/${(await list())[0].id}/decline`, { as: ada.token });
  expect(await list()).toMatchObject([{ account_name: 'Olga' }]);
});

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const ada = await signUp(service);
  const { status, body } = await service.call('GET', `/api/auth/my-invitations?${query}`, { as: ada.token });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
