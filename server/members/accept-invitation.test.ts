import { beforeAll, expect, test } from 'vitest';
import { newId, showId } from '../lib/id.ts';
import {
  addMember,
  mailedToken,
  signIn,
  signUp,
  signUpUnverified,
  type TestPerson,
} from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/invitations';
const invite = async (by: TestPerson, email: string, role = 'admin'): Promise<string> =>
  (await service.call('POST', path, { as: by.token, body: { email, role } })).body.invitation.id;
const accept = (by: TestPerson, id: string) => service.call('POST', `${path}/${id}/accept`, { as: by.token });

test('200: a member with the offered role, and this session acts for the account', async () => {
  const owner = await signUp(service, 'The studio');
  const person = await signUp(service);
  const { status, body } = await accept(person, await invite(owner, person.email));
  expect(status).toBe(200);
  expect(body.account).toEqual({
    id: showId('acct', owner.accountId),
    name: 'The studio',
    role: 'admin',
    active: true,
  });
  const { members } = (await service.call('GET', '/api/auth/members', { as: person.token })).body;
  expect(members.map((one: { role: string }) => one.role)).toEqual(['owner', 'admin']);
});

test('200: of two concurrent calls one joins, the other finds no open invitation', async () => {
  const owner = await signUp(service);
  const person = await signUp(service);
  const id = await invite(owner, person.email);
  const answers = await Promise.all([accept(person, id), accept(person, id)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test('200: a member already keeps their role', async () => {
  const owner = await signUp(service);
  const person = await signUp(service);
  const id = await invite(owner, person.email);
  const row = { account_id: owner.accountId, user_id: person.userId, role: 'owner' as const };
  await service.context.db.insertInto('members').values(row).execute();
  expect((await accept(person, id)).body.account.role).toBe('owner');
});

test('404 invitation_not_found: another address', async () => {
  const id = await invite(await signUp(service), 'invited@example.com');
  const { status, body } = await accept(await signUp(service), id);
  expect([status, body.error.code]).toEqual([404, 'invitation_not_found']);
  expect(body.error.action).toContain('the address that was invited');
  expect(body.error.message).not.toContain('invited@');
});

test('403 email_unverified: the invited address is not verified', async () => {
  const owner = await signUp(service);
  const person = await signUpUnverified(service);
  const { status, body } = await accept(person, await invite(owner, person.email));
  expect([status, body.error.code]).toEqual([403, 'email_unverified']);
  expect(body.error.action).toContain('send-verification-email');
});

test('200: an unverified person with the token of the mail, whose address is verified by it', async () => {
  const owner = await signUp(service);
  const person = await signUpUnverified(service);
  const id = await invite(owner, person.email);
  const body = { token: mailedToken(service, person.email, 'You are invited') };
  const answer = await service.call('POST', `${path}/${id}/accept`, { as: person.token, body });
  expect([answer.status, answer.body.account.active]).toEqual([200, true]);
  const { user, account } = (await service.call('GET', '/api/auth/session', { as: person.token })).body;
  expect([user.email_verified, account.id]).toEqual([true, showId('acct', owner.accountId)]);
});

test('200: the next sign-in acts for the joined account; after a switch for the one switched to', async () => {
  const owner = await signUp(service);
  const person = await signUp(service);
  await accept(person, await invite(owner, person.email));
  expect((await signIn(service, person.email)).accountId).toBe(owner.accountId);
  await service.call('POST', `/api/auth/accounts/${showId('acct', person.accountId)}/switch`, { as: person.token });
  expect((await signIn(service, person.email)).accountId).toBe(person.accountId);
});

test('403 email_unverified: with the token of another invitation, or one that is made up', async () => {
  const owner = await signUp(service);
  const person = await signUpUnverified(service);
  const id = await invite(owner, person.email);
  await invite(owner, 'other@example.com');
  for (const token of [mailedToken(service, 'other@example.com', 'You are invited'), 'made-up']) {
    const answer = await service.call('POST', `${path}/${id}/accept`, { as: person.token, body: { token } });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'email_unverified']);
  }
});

test('404 invitation_not_found: another address, also with the token of the mail', async () => {
  const owner = await signUp(service);
  const id = await invite(owner, 'aimed@example.com');
  const body = { token: mailedToken(service, 'aimed@example.com', 'You are invited') };
  const stranger = await signUpUnverified(service);
  expect((await service.call('POST', `${path}/${id}/accept`, { as: stranger.token, body })).status).toBe(404);
});

test('404 invitation_not_found: by an admin who was demoted since and stays a member', async () => {
  const owner = await signUp(service);
  const admin = await addMember(service, owner, 'admin');
  const accomplice = await signUp(service);
  const id = await invite(admin, accomplice.email);
  const member = `/api/auth/members/${showId('mem', admin.memberId)}`;
  const demoted = await service.call('PATCH', member, { as: owner.token, body: { role: 'member' } });
  expect(demoted.body.invitations).toMatchObject([{ id, status: 'canceled' }]);
  expect((await accept(accomplice, id)).status).toBe(404);
});

test('404 invitation_not_found: unknown, expired, canceled, and by somebody who was removed', async () => {
  const owner = await signUp(service);
  const person = await signUp(service);
  expect((await accept(person, showId('inv', newId()))).status).toBe(404);
  expect((await accept(person, 'inv_nonsense')).status).toBe(404);

  const canceled = await invite(owner, person.email);
  await service.call('DELETE', `${path}/${canceled}`, { as: owner.token });
  expect((await accept(person, canceled)).status).toBe(404);

  const admin = await addMember(service, owner, 'admin');
  const orphaned = await invite(admin, person.email);
  await service.call('DELETE', `/api/auth/members/${showId('mem', admin.memberId)}`, { as: owner.token });
  expect((await accept(person, orphaned)).status).toBe(404);

  const expired = await invite(owner, person.email);
  await service.context.db
    .updateTable('invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute();
  expect((await accept(person, expired)).status).toBe(404);
});

test('422 invalid_request: a body', async () => {
  const person = await signUp(service);
  const asked = { as: person.token, body: { role: 'owner' } };
  expect((await service.call('POST', `${path}/${showId('inv', newId())}/accept`, asked)).status).toBe(422);
});
