import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../../server/lib/id.ts';
import { addSecondFactor, signInWith } from '../support/authenticator.ts';
import { goodPassword, mailedToken, signIn, signUpUnverified } from '../support/people.ts';
import { createService, type Service } from '../support/harness.ts';

/** Two people with two sessions each, in two processes on one database. */

let laptop: Service;
let phone: Service;
beforeAll(async () => {
  laptop = await createService();
  phone = await createService({}, { databaseUrl: laptop.databaseUrl });
});
afterAll(async () => {
  await phone.close();
  await laptop.close();
});

const post = (service: Service, path: string, as: string, body: object = {}) =>
  service.call('POST', path, { as, body });
const status = async (service: Service, as: string, path = '/api/auth/session') =>
  (await service.call('GET', path, { as })).status;

const endUndo = (userId: string) =>
  laptop.context.db
    .updateTable('mail_tokens')
    .set({ expires_at: new Date() })
    .where('user_id', '=', userId)
    .where('purpose', '=', 'undo_change')
    .execute();

test('they sign up, invite, take over, change and leave; each process knows it at once', async () => {
  const olga = await signUpUnverified(laptop, 'Olga');
  const ada = await signUpUnverified(laptop, 'Ada');
  for (const person of [olga, ada]) {
    const token = mailedToken(laptop, person.email, 'Verify');
    expect((await post(laptop, '/api/auth/verify-email', person.token, { token })).status).toBe(200);
  }
  const [olga2, ada2] = [await signIn(phone, olga.email), await signIn(phone, ada.email)];
  expect((await laptop.call('GET', '/api/auth/sessions', { as: olga.token })).body.sessions).toHaveLength(2);

  // Olga invites Ada, who reads it on the laptop and accepts it on the phone.
  await post(laptop, '/api/auth/invitations', olga.token, { email: ada.email, role: 'admin' });
  const [invitation] = (await laptop.call('GET', '/api/auth/my-invitations', { as: ada.token })).body.invitations;
  expect(
    (await laptop.call('GET', `/api/auth/invitations/${invitation.id}`, { as: ada.token })).body.obstacle,
  ).toBeNull();
  expect((await post(phone, `/api/auth/invitations/${invitation.id}/accept`, ada2.token)).status).toBe(200);

  // The laptop's session still acts for Ada's own account; a tab that means Olga's is told.
  const olgas = showId('acct', olga.accountId);
  const meant = { as: ada.token, headers: { 'x-service-account': olgas } };
  const stale = await laptop.call('GET', '/api/v1/jobs', meant);
  expect([stale.status, stale.body.error.code]).toEqual([409, 'account_changed']);
  expect((await post(laptop, `/api/auth/accounts/${olgas}/switch`, ada.token)).status).toBe(200);
  expect((await laptop.call('GET', '/api/v1/jobs', meant)).status).toBe(200);

  // Ada makes a key on the phone; Olga makes her a plain member and takes the key over.
  const key = (await post(phone, '/api/v1/api-keys', ada2.token, { name: 'agent' })).body.plaintext_key;
  const { members } = (await laptop.call('GET', '/api/auth/members', { as: olga.token })).body;
  const membership = members.find((one: { user: { email: string } }) => one.user.email === ada.email);
  const demoted = await laptop.call('PATCH', `/api/auth/members/${membership.id}`, {
    as: olga2.token,
    body: { role: 'member', take_over: true },
  });
  expect(demoted.body.api_keys).toMatchObject([{ status: 'active', created_by: { name: 'Olga' } }]);
  expect(await status(phone, key, '/api/v1/me')).toBe(200);
  expect((await post(phone, '/api/v1/api-keys', ada2.token, { name: 'mine' })).status).toBe(403);

  // Ada sets up a second factor on the laptop: the phone's session ends with it.
  const { phone: authenticator, token: adaNow, recoveryCodes } = await addSecondFactor(laptop, ada);
  expect([await status(phone, ada2.token), await status(phone, adaNow)]).toEqual([401, 200]);
  expect((await signInWith(phone, ada)).status).toBe(403);
  expect((await signInWith(phone, ada, authenticator())).status).toBe(200);
  expect((await signInWith(phone, ada, recoveryCodes[0])).status).toBe(200);

  // Olga changes her password on the laptop: her phone is signed out.
  const passwords = { current_password: goodPassword, new_password: 'four other good words' };
  expect((await post(laptop, '/api/auth/change-password', olga.token, passwords)).status).toBe(200);
  expect([await status(laptop, olga.token), await status(phone, olga2.token)]).toEqual([200, 401]);

  // Ada leaves once her second factor cannot be undone any more; each of them sees only their own account.
  expect(await post(phone, `/api/auth/accounts/${olgas}/leave`, adaNow)).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid_request' } },
  });
  await endUndo(ada.userId);
  expect((await post(phone, `/api/auth/accounts/${olgas}/leave`, adaNow)).body.account.name).toBe('Ada');
  expect((await laptop.call('GET', '/api/auth/members', { as: olga.token })).body.members).toHaveLength(1);
});

test('of a removal and an acceptance at the same moment nobody is left half in', async () => {
  for (let round = 0; round < 4; round++) {
    const [owner, admin, guest] = [
      await signUpUnverified(laptop, 'Owner'),
      await signUpUnverified(laptop, 'Admin'),
      await signUpUnverified(laptop, 'Guest'),
    ];
    const { db } = laptop.context;
    await db.updateTable('people').set({ email_verified: true }).execute();
    const row = { account_id: owner.accountId, user_id: admin.userId, role: 'admin' as const };
    const { id } = await db.insertInto('members').values(row).returning('id').executeTakeFirstOrThrow();
    await post(laptop, `/api/auth/accounts/${showId('acct', owner.accountId)}/switch`, admin.token);
    const invited = await post(laptop, '/api/auth/invitations', admin.token, { email: guest.email, role: 'admin' });
    const [removed, accepted] = await Promise.all([
      laptop.call('DELETE', `/api/auth/members/${showId('mem', id)}`, { as: owner.token }),
      post(phone, `/api/auth/invitations/${invited.body.invitation.id}/accept`, guest.token),
    ]);
    expect(removed.status).toBe(200);
    const { members } = (await laptop.call('GET', '/api/auth/members', { as: owner.token })).body;
    expect(members).toHaveLength(accepted.status === 200 ? 2 : 1);
    expect(removed.body.invitations).toHaveLength(accepted.status === 200 ? 0 : 1);
  }
});
