import { beforeAll, expect, test } from 'vitest';
import {
  addMember,
  goodPassword,
  makeKey,
  makeOperator,
  signIn,
  signUp,
  signUpUnverified,
} from '../../../test/support/people.ts';
import { sharedService, type Service } from '../../../test/support/harness.ts';
import { ensureOperator } from './ensure-operator.ts';
import { removeOperatorByEmail } from './remove-operator-by-email.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const configured = 'the configured password';

async function userOf(email: string) {
  return service.context.db.selectFrom('people').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
}
const tryPassword = async (email: string, password: string) =>
  (await service.call('POST', '/api/auth/sign-in/email', { body: { email, password } })).status;

test('several processes at once make one operator, who can sign in', async () => {
  const operator = { email: 'Boss@Example.com', password: configured };
  await Promise.all([1, 2, 3, 4].map(() => ensureOperator(service.context, operator)));
  expect(await userOf('boss@example.com')).toMatchObject({ operator: true, email_verified: true });
  expect(await tryPassword('boss@example.com', configured)).toBe(200);
});

test('a later start keeps the password that the operator has chosen since', async () => {
  await ensureOperator(service.context, { email: 'later@example.com', password: configured });
  await ensureOperator(service.context, { email: 'later@example.com', password: 'another password' });
  expect(await tryPassword('later@example.com', configured)).toBe(200);
});

test('somebody who has the address becomes one with their own password, and keeps sessions', async () => {
  const person = await signUp(service);
  expect(await ensureOperator(service.context, { email: person.email, password: goodPassword })).toBe(true);
  expect(await userOf(person.email)).toMatchObject({ operator: true });
  expect((await service.call('GET', '/api/auth/accounts', { as: person.token })).status).toBe(200);
});

test.each([
  ['never proved it', signUpUnverified],
  ['proved it', signUp],
])('a wrong password is refused, and changes nothing, where the person %s', async (_, come) => {
  const stranger = await come(service);
  const attempt = ensureOperator(service.context, { email: stranger.email, password: configured });
  await expect(attempt).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await userOf(stranger.email)).toMatchObject({ operator: false });
  expect((await service.call('GET', '/api/auth/accounts', { as: stranger.token })).status).toBe(200);
  expect(await tryPassword(stranger.email, configured)).toBe(401);
});

test('a replaced password ends what was there: sessions, keys, members, invitations', async () => {
  const stranger = await signUp(service);
  const key = await makeKey(service, stranger);
  const accomplice = await addMember(service, stranger, 'admin');
  const theirKey = await makeKey(service, accomplice);
  const body = { email: 'third@example.com', role: 'admin' };
  await service.call('POST', '/api/auth/invitations', { as: stranger.token, body });
  await ensureOperator(service.context, { email: stranger.email, password: configured, replacePassword: true });

  for (const as of [stranger.token, key, theirKey])
    expect((await service.call('GET', '/api/v1/me', { as })).status).toBe(401);
  expect(await tryPassword(stranger.email, goodPassword)).toBe(401);
  const operator = await signIn(service, stranger.email, configured);
  const read = async (path: string) => (await service.call('GET', path, { as: operator.token })).body;
  expect((await read('/api/auth/members')).members).toHaveLength(1);
  expect((await read('/api/auth/invitations')).invitations).toMatchObject([{ status: 'canceled' }]);
  expect((await service.call('GET', '/api/operator/v1/accounts', { as: operator.token })).status).toBe(200);
});

test('a replaced password forgets the name of somebody who never proved the address, and asks for another', async () => {
  const squatter = await signUpUnverified(service, 'Mal');
  await ensureOperator(service.context, { email: squatter.email, password: configured, replacePassword: true });
  expect(await userOf(squatter.email)).toMatchObject({ name: 'New member', name_needed: true, operator: true });
});

test('a removed operator finds the desk closed, and their sessions ended', async () => {
  const operator = await makeOperator(service);
  await removeOperatorByEmail(service.context, operator.email.toUpperCase());
  expect((await service.call('GET', '/api/operator/v1/accounts', { as: operator.token })).status).toBe(401);
  const again = await signIn(service, operator.email);
  expect((await service.call('GET', '/api/operator/v1/accounts', { as: again.token })).status).toBe(403);
  await expect(removeOperatorByEmail(service.context, operator.email)).rejects.toMatchObject({
    code: 'operator_not_found',
  });
});
