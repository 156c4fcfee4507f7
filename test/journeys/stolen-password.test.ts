import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../../server/lib/id.ts';
import { addSecondFactor, signInWith } from '../support/authenticator.ts';
import { createService, type Service } from '../support/harness.ts';
import { addMember, goodPassword, mailedToken, makeKey, signIn, signUp, type TestPerson } from '../support/people.ts';

/** Somebody knows the password of another person; only the mailbox is still the owner's. */

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const post = (path: string, as: string | null, body: object = {}) => service.call('POST', path, { as, body });
const fresh = 'four other good words';

const undoToken = (email: string) => {
  const mail = service.emails.findLast(({ to, text }) => to === email && text.includes('/undo-change'));
  return /undo-change\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
};

async function chooseNewPassword({ email }: TestPerson): Promise<void> {
  const body = { token: mailedToken(service, email, 'Reset'), new_password: fresh };
  expect((await post('/api/auth/reset-password', null, body)).status).toBe(200);
}

async function moveAway(thief: TestPerson, email: string): Promise<void> {
  expect((await post('/api/auth/change-email', thief.token, { email, password: goodPassword })).status).toBe(200);
  const body = { token: mailedToken(service, email, 'Confirm') };
  expect((await post('/api/auth/change-email/confirm', thief.token, body)).status).toBe(200);
}

/** What the thief leaves behind: a key, a webhook endpoint, an accomplice who has brought another one. */
async function leaveBehind(as: string, owner: TestPerson) {
  const key = await makeKey(service, { ...owner, token: as });
  const hook = { url: 'https://example.com/hook' };
  expect((await post('/api/v1/webhook-endpoints', as, hook)).status).toBe(201);
  const accomplice = await join(as, await signUp(service, 'Accomplice'), 'admin');
  const second = await join(accomplice.token, await signUp(service, 'Second'), 'admin');
  const theirs = await makeKey(service, second);
  await post('/api/auth/invitations', as, { email: 'third@example.com', role: 'admin' });
  return { key, theirs, accomplice, second };
}

async function join(inviter: string, guest: TestPerson, role: string): Promise<TestPerson> {
  const { body } = await post('/api/auth/invitations', inviter, { email: guest.email, role });
  expect((await post(`/api/auth/invitations/${body.invitation.id}/accept`, guest.token)).status).toBe(200);
  return guest;
}

test('a stolen password undone: the owner is back, and nothing that the thief made is left', async () => {
  const owner = await signUp(service, 'Olga');
  const friend = await join(owner.token, await signUp(service, 'Friend'), 'admin');
  const before = await makeKey(service, owner);
  const thief = await signIn(service, owner.email);
  await moveAway(thief, 'thief@example.com');
  const { token } = await addSecondFactor(service, { ...thief, email: 'thief@example.com' });
  const { key, theirs, accomplice, second } = await leaveBehind(token, owner);
  expect((await post('/api/auth/delete', token, { password: goodPassword })).status).not.toBe(200);

  expect((await post('/api/auth/undo-change', null, { token: undoToken(owner.email) })).status).toBe(200);
  await chooseNewPassword(owner);
  const back = await signInWith(service, owner, undefined, fresh);
  expect(back.status).toBe(200);

  for (const as of [token, thief.token, key, theirs])
    expect((await service.call('GET', '/api/v1/me', { as })).status).toBe(401);
  for (const { token: as } of [accomplice, second])
    expect((await service.call('GET', '/api/auth/members', { as })).status).toBe(403);
  expect((await service.call('GET', '/api/v1/me', { as: before })).status).toBe(200);
  expect((await service.call('GET', '/api/auth/members', { as: friend.token })).status).toBe(200);
  const read = async (path: string) => (await service.call('GET', path, { as: back.body.token })).body;
  expect((await read('/api/auth/members')).members).toHaveLength(2);
  expect((await read('/api/v1/webhook-endpoints')).webhook_endpoints).toMatchObject([{ enabled: false }]);
  const { invitations } = await read('/api/auth/invitations');
  expect(invitations.filter(({ status }: { status: string }) => status === 'pending')).toEqual([]);
  expect((await signInWith(service, { ...owner, email: 'thief@example.com' })).status).toBe(401);
});

test('a second factor that a thief added locks the owner out only until the link of its mail', async () => {
  const owner = await signUp(service);
  const thief = await signIn(service, owner.email);
  const { token } = await addSecondFactor(service, thief);
  const { key } = await leaveBehind(token, owner);
  await moveAwayRefused(token);

  await post('/api/auth/request-password-reset', null, { email: owner.email });
  await expect.poll(() => mailedToken(service, owner.email, 'Reset')).not.toBe('');
  await chooseNewPassword(owner);
  expect((await signInWith(service, owner, undefined, fresh)).status).toBe(403);

  // The mail of the reset brings the link again.
  expect(service.emails.findLast(({ to }) => to === owner.email)?.text).toContain('/undo-change?token=');
  expect((await post('/api/auth/undo-change', null, { token: undoToken(owner.email) })).status).toBe(200);
  await chooseNewPassword(owner);
  expect((await signInWith(service, owner, undefined, fresh)).status).toBe(200);
  expect((await service.call('GET', '/api/v1/me', { as: key })).status).toBe(401);
});

/** The password alone no longer moves the address. */
async function moveAwayRefused(as: string): Promise<void> {
  const { status } = await post('/api/auth/change-email', as, { email: 'away@example.com', password: goodPassword });
  expect(status).toBe(403);
}

async function memberId(as: string, { userId }: TestPerson): Promise<string> {
  const { body } = await service.call('GET', '/api/auth/members', { as });
  return body.members.find(({ user }: { user: { id: string } }) => user.id === showId('user', userId)).id;
}

/** A thief in the name of the owner, and an accomplice whom they made an owner, too. */
async function rob(owner: TestPerson, away: string) {
  const thief = await signIn(service, owner.email);
  await moveAway(thief, away);
  const accomplice = await join(thief.token, await signUp(service, 'Accomplice'), 'admin');
  const path = `/api/auth/members/${await memberId(thief.token, accomplice)}`;
  expect((await service.call('PATCH', path, { as: thief.token, body: { role: 'owner' } })).status).toBe(200);
  return { thief, accomplice };
}

test('while an undo is open, neither the thief nor an accomplice takes the account from its owner', async () => {
  const owner = await signUp(service, 'Olga');
  const { thief, accomplice } = await rob(owner, 'robber@example.com');
  const member = `/api/auth/members/${await memberId(thief.token, owner)}`;
  for (const { token: as } of [thief, accomplice]) {
    expect((await service.call('DELETE', member, { as, body: {} })).body.error.code).toBe('invalid_request');
    const demoted = await service.call('PATCH', member, { as, body: { role: 'member' } });
    expect(demoted.body.error.code).toBe('invalid_request');
    expect((await post('/api/auth/account/close', as, { password: goodPassword })).status).toBe(422);
  }
  const account = (await service.call('GET', '/api/auth/accounts', { as: thief.token })).body.accounts[0].id;
  expect((await post(`/api/auth/accounts/${account}/leave`, thief.token)).status).toBe(422);

  expect((await post('/api/auth/undo-change', null, { token: undoToken(owner.email) })).status).toBe(200);
  await chooseNewPassword(owner);
  const { body } = await signInWith(service, owner, undefined, fresh);
  const { members } = (await service.call('GET', '/api/auth/members', { as: body.token })).body;
  expect(members).toMatchObject([{ role: 'owner', user: { email: owner.email } }]);
});

test('an earlier owner can remove the thief; the undo then removes the accomplice from that account', async () => {
  const owner = await signUp(service, 'Olga');
  const friend = await addMember(service, owner, 'owner');
  const { thief, accomplice } = await rob(owner, 'burglar@example.com');
  const member = `/api/auth/members/${await memberId(thief.token, owner)}`;
  expect((await service.call('DELETE', member, { as: friend.token, body: {} })).status).toBe(200);

  expect((await post('/api/auth/undo-change', null, { token: undoToken(owner.email) })).status).toBe(200);
  expect((await service.call('GET', '/api/auth/members', { as: accomplice.token })).status).toBe(403);
  expect((await service.call('GET', '/api/auth/members', { as: friend.token })).body.members).toHaveLength(1);
});

test('an accomplice who deletes themselves leaves nobody behind whom they invited', async () => {
  const owner = await signUp(service, 'Olga');
  const { accomplice } = await rob(owner, 'pirate@example.com');
  const second = await join(accomplice.token, await signUp(service, 'Second'), 'admin');
  expect((await post('/api/auth/delete', accomplice.token, { password: goodPassword })).status).toBe(200);

  expect((await post('/api/auth/undo-change', null, { token: undoToken(owner.email) })).status).toBe(200);
  expect((await service.call('GET', '/api/auth/members', { as: second.token })).status).toBe(403);
});
