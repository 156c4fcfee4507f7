import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addSecondFactor, signInWith } from '../../test/support/authenticator.ts';
import {
  goodPassword,
  mailedToken,
  signIn,
  signUp,
  signUpUnverified,
  type TestPerson,
} from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/reset-password';
const fresh = 'another good password';

async function askToken({ email }: TestPerson): Promise<string> {
  await service.call('POST', '/api/auth/request-password-reset', { body: { email } });
  return mailedToken(service, email, 'Reset');
}
const reset = (token: string, password = fresh) =>
  service.call('POST', path, { body: { token, new_password: password } });
const asking = async (as: string) => (await service.call('GET', '/api/auth/accounts', { as })).status;

test('200: the new password works, the old one does not, and all sessions end', async () => {
  const person = await signUp(service);
  const second = await signIn(service, person.email);
  expect((await reset(await askToken(person))).status).toBe(200);
  expect([await asking(person.token), await asking(second.token)]).toEqual([401, 401]);
  const body = { email: person.email, password: goodPassword };
  expect((await service.call('POST', '/api/auth/sign-in/email', { body })).status).toBe(401);
  expect(await asking((await signIn(service, person.email, fresh)).token)).toBe(200);
});

test('200: a second factor stays, so the mailbox alone signs nobody in', async () => {
  const person = await signUp(service);
  const { phone } = await addSecondFactor(service, person);
  expect((await reset(await askToken(person))).status).toBe(200);
  expect((await signInWith(service, person, undefined, fresh)).body.error.code).toBe('second_factor_required');
  expect((await signInWith(service, person, phone(), fresh)).status).toBe(200);
});

test('200: ten wrong codes of somebody with the old password lock nobody out after it', async () => {
  const ada = await signUp(service);
  const { phone } = await addSecondFactor(service, ada);
  for (let n = 0; n < 10; n++) await signInWith(service, ada, '000000');
  expect((await signInWith(service, ada, phone())).status).toBe(429);
  await service.call('POST', '/api/auth/request-password-reset', { body: { email: ada.email } });
  expect((await reset(mailedToken(service, ada.email, 'Reset'))).status).toBe(200);
  expect((await signInWith(service, ada, phone(), fresh)).status).toBe(200);
});

test('200: names that a squatter chose are forgotten, and the session asks for others until one is set', async () => {
  const mal = await signUpUnverified(service, 'Mal');
  const nameOf = async (as: string) => {
    const { user, account } = (await service.call('GET', '/api/auth/session', { as })).body;
    return [user.name, account.name, user.name_needed];
  };
  expect(await nameOf(mal.token)).toEqual(['Mal', 'Mal', false]);
  expect((await reset(await askToken(mal))).status).toBe(200);
  const { token: owner } = await signIn(service, mal.email, fresh);
  expect(await nameOf(owner)).toEqual(['New member', 'New account', true]);
  await service.call('PATCH', '/api/auth/account', { as: owner, body: { name: 'Rise Bakery' } });
  await service.call('PATCH', '/api/auth/profile', { as: owner, body: { name: 'Ada Lovelace' } });
  expect(await nameOf(owner)).toEqual(['Ada Lovelace', 'Rise Bakery', false]);
});

test('200: names stay where the address was proved before', async () => {
  const ada = await signUp(service, 'Ada');
  expect((await reset(await askToken(ada))).status).toBe(200);
  const { token: as } = await signIn(service, ada.email, fresh);
  const { user, account } = (await service.call('GET', '/api/auth/session', { as })).body;
  expect([user.name, user.name_needed, account.name]).toEqual(['Ada', false, 'Ada']);
});

test('422 invalid_request: a token works once, also when it is sent twice at the same moment', async () => {
  const person = await signUp(service);
  const token = await askToken(person);
  const answers = await Promise.all([reset(token), reset(token, 'yet another password')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  const { status, body } = await reset(token);
  expect([status, body.error?.details[0].location]).toEqual([422, '/token']);
});

test('422 invalid_request: the tokens of earlier mails die with the one that was used', async () => {
  const person = await signUp(service);
  const [first, second] = [await askToken(person), await askToken(person)];
  expect((await reset(second)).status).toBe(200);
  expect((await reset(first)).status).toBe(422);
});

test('422 invalid_request: the token has expired after an hour', async () => {
  const person = await signUp(service);
  const token = await askToken(person);
  const { rows } = await sql<{ minutes: number; row: string }>`
    select round(extract(epoch from expires_at - now()) / 60)::int as minutes, to_jsonb(t)::text as row
    from mail_tokens t where user_id = ${person.userId} and purpose = 'reset_password'`.execute(service.context.db);
  expect(rows).toMatchObject([{ minutes: 60 }]);
  expect(rows[0]?.row).not.toContain(token);
  await service.context.db.updateTable('mail_tokens').set({ expires_at: new Date() }).execute();
  expect((await reset(token)).status).toBe(422);
  expect(await asking(person.token)).toBe(200);
});

test('422 invalid_request: a token that never was, and a password that is too short', async () => {
  expect((await reset('x'.repeat(24))).body.error.details[0].location).toBe('/token');
  expect((await reset('x'.repeat(24), 'short')).body.error.details[0].location).toBe('/new_password');
});

test.each(['Password123', 'Lovelace1815'])('422 invalid_request: %s is easy to guess', async (password) => {
  const ada = await signUp(service);
  await service.call('POST', '/api/auth/request-password-reset', { body: { email: ada.email } });
  const { body } = await reset(mailedToken(service, ada.email, 'Reset'), password);
  expect(body.error.details[0]).toMatchObject({
    location: '/new_password',
    message: expect.stringContaining('easy to guess'),
  });
});

test('422 invalid_request: a token that verifies the address sets no password', async () => {
  const person = await signUpUnverified(service);
  const { status, body } = await reset(mailedToken(service, person.email, 'Verify'));
  expect([status, body.error?.details[0].location]).toEqual([422, '/token']);
  expect(await asking((await signIn(service, person.email)).token)).toBe(200);
});
