import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { signUp, signUpUnverified, type TestPerson } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const invite = async (by: TestPerson, email: string): Promise<string> =>
  (await service.call('POST', '/api/auth/invitations', { as: by.token, body: { email, role: 'admin' } })).body
    .invitation.id;
const decline = (as: string, id: string, rest = {}) =>
  service.call('POST', `/api/auth/invitations/${id}/decline`, { as, ...rest });

test('200: the inviter sees it, accepting comes too late, and declining again answers the same', async () => {
  const [olga, ada] = [await signUp(service), await signUp(service)];
  const id = await invite(olga, ada.email);
  for (const _ of [1, 2]) expect((await decline(ada.token, id)).body.invitation.status).toBe('declined');
  expect((await service.call('POST', `/api/auth/invitations/${id}/accept`, { as: ada.token })).status).toBe(404);
  const { invitations } = (await service.call('GET', '/api/auth/invitations', { as: olga.token })).body;
  expect(invitations).toMatchObject([{ id, status: 'declined' }]);
});

test('404 invitation_not_found: somebody else’s', async () => {
  const id = await invite(await signUp(service), 'invited@example.com');
  expect((await decline((await signUp(service)).token, id)).body.error.code).toBe('invitation_not_found');
});

test('403 email_unverified: an address that nobody proved', async () => {
  const ada = await signUpUnverified(service);
  const id = await invite(await signUp(service), ada.email);
  expect((await decline(ada.token, id)).body.error.code).toBe('email_unverified');
});

test('404 invitation_not_found: none, or canceled', async () => {
  const [olga, ada] = [await signUp(service), await signUp(service)];
  const id = await invite(olga, ada.email);
  await service.call('DELETE', `/api/auth/invitations/${id}`, { as: olga.token });
  for (const gone of [id, 'inv_nonsense']) expect((await decline(ada.token, gone)).status).toBe(404);
});

test('422 invalid_request: a body', async () => {
  const [olga, ada] = [await signUp(service), await signUp(service)];
  const id = await invite(olga, ada.email);
  expect((await decline(ada.token, id, { body: { why: 'no' } })).status).toBe(422);
});
