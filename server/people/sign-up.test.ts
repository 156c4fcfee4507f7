import { beforeAll, describe, expect, test } from 'vitest';
import {
  addMember,
  goodPassword,
  mailedToken,
  signIn,
  signUp,
  signUpUnverified,
  type TestPerson,
} from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/sign-up/email';
const draft = (fields: object = {}) => ({
  name: 'Grace Hopper',
  email: 'grace@example.com',
  password: goodPassword,
  ...fields,
});

test('200: a user, an account of their own, and a session as bearer and as cookie', async () => {
  const answer = await service.call('POST', path, { body: draft({ email: 'Grace@Example.com' }) });
  expect(answer.status).toBe(200);
  expect(answer.body.user).toMatchObject({ name: 'Grace Hopper', email: 'grace@example.com', email_verified: false });
  expect(answer.headers.get('set-auth-token')).toBe(answer.body.token);
  const [cookie] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^atelier\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);

  for (const as of [answer.body.token as string, { cookie: cookie?.split(';')[0] ?? '' }]) {
    const mine = await service.call('GET', '/api/auth/accounts', { as });
    expect(mine.body.accounts).toEqual([
      { id: expect.stringMatching(/^acct_/), name: 'Grace Hopper', role: 'owner', active: true },
    ]);
  }
});

test('200: the account is called as they say', async () => {
  const body = draft({ email: 'named@example.com', account_name: 'Rise Bakery' });
  const { body: answer } = await service.call('POST', path, { body });
  const { body: mine } = await service.call('GET', '/api/auth/accounts', { as: answer.token });
  expect(mine.accounts).toMatchObject([{ name: 'Rise Bakery', role: 'owner' }]);
  const refused = await service.call('POST', path, { body: { ...body, email: 'x@example.com', account_name: ' ' } });
  expect(refused.body.error.details[0].location).toBe('/account_name');
});

test('413 body_too_large: more than 16 KiB, which no sign-up needs', async () => {
  const answer = await service.call('POST', path, { body: draft({ name: 'a'.repeat(17_000) }) });
  expect([answer.status, answer.body.error.code]).toEqual([413, 'body_too_large']);
});

test('422 invalid_request: the address is taken, in whatever case', async () => {
  const { email } = await signUp(service);
  const { status, body } = await service.call('POST', path, { body: draft({ email: email.toUpperCase() }) });
  expect(status).toBe(422);
  expect(body.error.code).toBe('invalid_request');
  expect(body.error.details).toEqual([{ location: '/email', message: expect.stringContaining('in use') }]);
});

test('422 invalid_request: of two sign-ups at the same moment with one address, one wins', async () => {
  const body = draft({ email: 'twins@example.com' });
  const answers = await Promise.all([1, 2, 3, 4].map(() => service.call('POST', path, { body })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422]);
});

test.each([
  ['a short password', { password: 'too short' }, '/password'],
  ['no address', { email: 'grace' }, '/email'],
  ['an address that the library would refuse', { email: 'grâce@example.com' }, '/email'],
  ['a name of spaces', { name: '   ' }, '/name'],
  ['a name that turns the text around it', { name: 'Ada \u202e ecalevoL' }, '/name'],
  ['a name that nobody sees', { name: '\u3164\u200b' }, '/name'],
  ['an invisible character in a name', { name: 'Ada\u200b Lovelace' }, '/name'],
  ['a name with a link', { name: 'Win at https://evil.example' }, '/name'],
  ['a name with www.', { name: 'Pay at WWW.evil.example' }, '/name'],
  ['a name with a slash', { name: 'evil.example/pay' }, '/name'],
  ['a name of pictures alone', { name: '🚀' }, '/name'],
  ['a name of joined letters', { name: 'A\u200dda' }, '/name'],
  ['a name of two lines', { name: 'Ada\u2028Lovelace' }, '/name'],
  ['the password is one of the commonest', { password: 'Password123' }, '/password'],
  ['the operator flag', { operator: true }, '/operator'],
  ['a role', { role: 'owner' }, '/role'],
])('422 invalid_request: %s', async (_, fields, location) => {
  const { status, body } = await service.call('POST', path, { body: draft({ email: 'new@example.com', ...fields }) });
  expect(status).toBe(422);
  expect(body.error.details[0].location).toBe(location);
});

test.each([
  'aaaaaaaaaa',
  '          ',
  'abcdefghij',
  '0987654321',
  'letmein1234',
  'passw0rd12',
  'P@ssw0rd123',
  'atelier2026',
  'Grace Hopper',
  'hopper1906',
  'new@example.com',
  'Alicealice1',
  'Sommer-sommer7!',
])('422 invalid_request: the password "%s" is easy to guess', async (password) => {
  const { status, body } = await service.call('POST', path, { body: draft({ email: 'new@example.com', password }) });
  expect([status, body.error.details[0].location]).toEqual([422, '/password']);
});

test.each([
  'Zoë O’Brien-Smith, Jr.',
  '李小龍',
  'مريم الأسطرلابي',
  'Café 1 (R&D) + "Söhne" #2',
  'Ada 🚀',
  'The 👩‍👩‍👧 of ❤️ 🇩🇪 1️⃣ 👍🏽',
])('200: the name %s', async (name) => {
  const body = draft({ email: `${Math.random()}@example.com`, name });
  expect((await service.call('POST', path, { body })).body.user.name).toBe(name);
});

test('200: a password of 128 emoji works', async () => {
  const body = draft({ email: 'emoji@example.com', password: '🦊🐻🌵🎈🚲🪁🧭🍋'.repeat(16) });
  expect((await service.call('POST', path, { body })).status).toBe(200);
});

test('403 csrf_token_invalid: a browser on another origin', async () => {
  const { status, body } = await service.call('POST', path, {
    body: draft(),
    headers: { origin: 'https://evil.example' },
  });
  expect([status, body.error.code]).toEqual([403, 'csrf_token_invalid']);
});

describe('with the token of an invitation', () => {
  const invitations = '/api/auth/invitations';
  let guests = 0;

  async function invite(by: TestPerson, role = 'member') {
    const email = `guest-${++guests}@example.com`;
    const { body } = await service.call('POST', invitations, { as: by.token, body: { email, role } });
    return { id: body.invitation.id as string, email, token: mailedToken(service, email, 'You are invited') };
  }
  const join = ({ email, token }: { email: string; token: string }) =>
    service.call('POST', path, {
      body: { name: 'Jonas Weber', email, password: goodPassword, invitation_token: token },
    });

  test('200: verified, in the inviting account with the offered role, also at the next sign-in; own account beside', async () => {
    const owner = await signUp(service, 'The studio');
    const guest = await invite(owner, 'admin');
    const { status, body } = await join({ ...guest, email: guest.email.toUpperCase() });
    expect([status, body.user.email_verified]).toEqual([200, true]);
    const session = (await service.call('GET', '/api/auth/session', { as: body.token })).body;
    expect(session).toMatchObject({ account: { id: showId('acct', owner.accountId) }, role: 'admin' });
    const again = await signIn(service, guest.email);
    expect(again.accountId).toBe(owner.accountId);
    const { accounts } = (await service.call('GET', '/api/auth/accounts', { as: again.token })).body;
    expect(accounts).toMatchObject([
      { name: 'Jonas Weber', role: 'owner', active: false },
      { name: 'The studio', role: 'admin', active: true },
    ]);
    expect(service.emails.filter(({ to }) => to === guest.email)).toHaveLength(1);
    const { body: sent } = await service.call('GET', invitations, { as: owner.token });
    expect(sent.invitations).toMatchObject([{ id: guest.id, status: 'accepted' }]);
  });

  test('200 once: of two at the same moment one joins', async () => {
    const guest = await invite(await signUp(service));
    const answers = await Promise.all([join(guest), join(guest)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test('422 invalid_request: for another address, which leaves no person behind', async () => {
    const guest = await invite(await signUp(service));
    const { status, body } = await join({ ...guest, email: 'thief@example.com' });
    expect([status, body.error.details[0].location]).toEqual([422, '/email']);
    expect(
      (
        await service.call('POST', '/api/auth/sign-in/email', {
          body: { email: 'thief@example.com', password: goodPassword },
        })
      ).status,
    ).toBe(401);
    expect((await join(guest)).status).toBe(200);
  });

  test('422 invalid_request: the invitation was canceled, or its inviter demoted, removed or deleted', async () => {
    const owner = await signUp(service);
    const canceled = await invite(owner);
    await service.call('DELETE', `${invitations}/${canceled.id}`, { as: owner.token });
    const demoted = await addMember(service, owner, 'admin');
    const ofDemoted = await invite(demoted);
    await service.call('PATCH', `/api/auth/members/${showId('mem', demoted.memberId)}`, {
      as: owner.token,
      body: { role: 'member' },
    });
    const removed = await addMember(service, owner, 'admin');
    const ofRemoved = await invite(removed, 'admin');
    await service.call('DELETE', `/api/auth/members/${showId('mem', removed.memberId)}`, { as: owner.token });
    const deleted = await addMember(service, owner, 'admin');
    const ofDeleted = await invite(deleted);
    await service.call('POST', '/api/auth/delete', { as: deleted.token, body: { password: goodPassword } });
    for (const guest of [canceled, ofDemoted, ofRemoved, ofDeleted, { email: 'x@example.com', token: 'made-up' }]) {
      const { status, body } = await join(guest);
      expect([status, body.error.details[0].location]).toEqual([422, '/invitation_token']);
    }
  });

  test('422 invalid_request: a stranger signed up with the address; a reset gives it to its owner, who joins', async () => {
    const owner = await signUp(service);
    const guest = await invite(owner);
    const squatter = await signUpUnverified(service, 'Squatter', guest.email);
    const accept = (as: string) => service.call('POST', `${invitations}/${guest.id}/accept`, { as });
    expect((await accept(squatter.token)).body.error.code).toBe('email_unverified');
    expect((await join(guest)).body.error.details[0].location).toBe('/email');
    await service.call('POST', '/api/auth/request-password-reset', { body: { email: guest.email } });
    const token = mailedToken(service, guest.email, 'Reset your password');
    await service.call('POST', '/api/auth/reset-password', { body: { token, new_password: 'chosen by its owner' } });
    expect((await accept(squatter.token)).status).toBe(401);
    expect((await accept((await signIn(service, guest.email, 'chosen by its owner')).token)).status).toBe(200);
  });
});
