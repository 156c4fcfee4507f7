import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { signUp, signUpUnverified, type TestPerson } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const invite = async (by: TestPerson, email: string): Promise<string> =>
  (await service.call('POST', '/api/auth/invitations', { as: by.token, body: { email, role: 'admin' } })).body
    .invitation.id;
const read = (as: string, id: string) => service.call('GET', `/api/auth/invitations/${id}`, { as });

test('200: who invites to what, and what stands in the way', async () => {
  const olga = await signUp(service, 'Olga');
  const [ada, eve] = [await signUpUnverified(service), await signUp(service)];
  const id = await invite(olga, ada.email);
  const { body } = await read(ada.token, id);
  expect(body.invitation).toMatchObject({
    id,
    account_name: 'Olga',
    created_by: { kind: 'user', id: expect.stringMatching(/^user_/), name: 'Olga' },
    created_at: expect.any(String),
    role: 'admin',
    status: 'pending',
  });
  expect(body.obstacle).toBe('email_unverified');
  expect((await read(eve.token, id)).body.obstacle).toBe('other_address');
  const { db } = service.context;
  await db.updateTable('people').set({ email_verified: true }).where('id', '=', ada.userId).execute();
  expect((await read(ada.token, id)).body.obstacle).toBeNull();
  await service.call('POST', `/api/auth/invitations/${id}/accept`, { as: ada.token });
  expect((await read(ada.token, id)).body).toMatchObject({ invitation: { status: 'accepted' }, obstacle: 'not_open' });
});
