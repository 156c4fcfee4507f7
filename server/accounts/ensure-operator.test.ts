import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, signIn, signUp } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { ensureOperator } from './ensure-operator.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const configured = 'the configured password';

async function userOf(email: string) {
  return service.context.db.selectFrom('auth.user').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
}
const tryPassword = async (email: string, password: string) =>
  (await service.call('POST', '/api/auth/sign-in/email', { body: { email, password } })).status;

test('several processes at once make one operator, who can sign in', async () => {
  const operator = { email: 'Boss@Example.com', password: configured };
  await Promise.all([1, 2, 3, 4].map(() => ensureOperator(service.context, operator)));
  expect(await userOf('boss@example.com')).toMatchObject({ operator: true, email_verified: true });
  expect(await tryPassword('boss@example.com', configured)).toBe(200);
});

test('at a later start the password that the operator chose meanwhile stays', async () => {
  await ensureOperator(service.context, { email: 'later@example.com', password: configured });
  await ensureOperator(service.context, { email: 'later@example.com', password: 'another password' });
  expect(await tryPassword('later@example.com', configured)).toBe(200);
});

test('a user with a proven address gets the flag and keeps password and sessions', async () => {
  const person = await signUp(service);
  await service.context.db
    .updateTable('auth.user')
    .set({ email_verified: true })
    .where('id', '=', person.userId)
    .execute();
  await ensureOperator(service.context, { email: person.email, password: configured });
  expect(await userOf(person.email)).toMatchObject({ operator: true });
  expect(await tryPassword(person.email, goodPassword)).toBe(200);
  expect((await service.call('GET', '/api/auth/accounts', { as: person.token })).status).toBe(200);
});

test('a stranger who signed up with the address before does not become operator', async () => {
  const stranger = await signUp(service);
  await ensureOperator(service.context, { email: stranger.email, password: configured });
  expect((await service.call('GET', '/api/auth/accounts', { as: stranger.token })).status).toBe(401);
  expect(await tryPassword(stranger.email, goodPassword)).toBe(401);
  expect(await signIn(service, stranger.email, configured)).toMatchObject({ userId: stranger.userId });
});
