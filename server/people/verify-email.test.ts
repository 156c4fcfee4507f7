import { beforeAll, expect, test } from 'vitest';
import {
  goodPassword,
  mailedToken,
  signIn,
  signUp,
  signUpUnverified,
  type TestPerson,
} from '../../test/support/people.ts';
import { type As, sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const verify = (as: As, token: string, rest: object = {}) =>
  service.call('POST', '/api/auth/verify-email', { as, body: { token, ...rest } });
const tokenOf = ({ email }: TestPerson) => mailedToken(service, email, 'Verify');

async function isVerified({ userId }: TestPerson): Promise<boolean> {
  const { db } = service.context;
  const user = db.selectFrom('people').select('email_verified').where('id', '=', userId);
  return (await user.executeTakeFirstOrThrow()).email_verified;
}

test('200: in the session of the person; pressing again does no harm, and no session is opened', async () => {
  const person = await signUpUnverified(service);
  for (const _ of [1, 2]) {
    const answer = await verify(person.token, tokenOf(person));
    expect([answer.status, answer.body]).toEqual([200, { done: true }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  expect(await isVerified(person)).toBe(true);
});

test('200: in another session of the person, as a browser', async () => {
  const person = await signUpUnverified(service);
  const other = await signIn(service, person.email);
  const asked = { as: { cookie: other.cookie }, body: { token: tokenOf(person) } };
  expect((await service.call('POST', '/api/auth/verify-email', asked)).status).toBe(200);
});

test('200: with the password, without a session', async () => {
  const person = await signUpUnverified(service);
  expect((await verify(null, tokenOf(person), { password: goodPassword })).status).toBe(200);
  expect(await isVerified(person)).toBe(true);
});

test('401 unauthenticated: the token alone, a wrong password, and the session of somebody else', async () => {
  const [squatter, owner] = [await signUpUnverified(service), await signUp(service)];
  for (const [as, rest] of [
    [null, {}],
    [null, { password: 'wrong password' }],
    [owner.token, {}],
    ['not-a-session', {}],
  ] as const) {
    const { status, body } = await verify(as, tokenOf(squatter), rest);
    expect([status, body.error.code]).toEqual([401, 'unauthenticated']);
  }
  expect(await isVerified(squatter)).toBe(false);
});

test('403 csrf_token_invalid: a browser on another origin', async () => {
  const person = await signUpUnverified(service);
  const body = { token: tokenOf(person) };
  const headers = { origin: 'https://evil.example' };
  const answer = await service.call('POST', '/api/auth/verify-email', { as: { cookie: person.cookie }, body, headers });
  expect([answer.status, answer.body.error.code]).toEqual([403, 'csrf_token_invalid']);
  expect(await isVerified(person)).toBe(false);
});

test('422 invalid_request: forged, expired, or another kind of token', async () => {
  const person = await signUpUnverified(service);
  await service.call('POST', '/api/auth/request-password-reset', { body: { email: person.email } });
  const wrong = [`${tokenOf(person).slice(0, -3)}AAA`, 'junk', mailedToken(service, person.email, 'Reset')];
  await service.context.db.updateTable('mail_tokens').set({ expires_at: new Date() }).execute();
  for (const token of [...wrong, tokenOf(person)]) {
    const { status, body } = await verify(person.token, token);
    expect([status, body.error.code, body.error?.details[0].location]).toEqual([422, 'invalid_request', '/token']);
  }
});

test('GET changes nothing: there is no such route', async () => {
  const person = await signUpUnverified(service);
  expect((await service.call('GET', `/api/auth/verify-email?token=${tokenOf(person)}`)).status).toBe(405);
  expect(await isVerified(person)).toBe(false);
});

test('422 invalid_request: a token of a reset of the same person', async () => {
  const person = await signUpUnverified(service);
  await service.call('POST', '/api/auth/request-password-reset', { body: { email: person.email } });
  const { status, body } = await verify(person.token, mailedToken(service, person.email, 'Reset'));
  expect([status, body.error?.details[0].location]).toEqual([422, '/token']);
  expect(await isVerified(person)).toBe(false);
});
