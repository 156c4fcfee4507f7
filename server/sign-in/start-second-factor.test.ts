import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { addSecondFactor, authenticatorOf } from '../../test/support/authenticator.ts';
import { goodPassword, signIn, signUp, signUpUnverified } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const start = (as: string, password = goodPassword) =>
  service.call('POST', '/api/auth/second-factor/start', { as, body: { password } });

test('200: what an authenticator needs, and ten recovery codes; nothing changes yet', async () => {
  const ada = await signUp(service);
  const { body } = await start(ada.token);
  expect(body.otpauth_url).toMatch(/^otpauth:\/\/totp\/Atelier/);
  expect(new Set(body.recovery_codes).size).toBe(10);
  expect(authenticatorOf(body.otpauth_url)()).toMatch(/^\d{6}$/);
  expect(await signIn(service, ada.email)).toMatchObject({ userId: ada.userId });
  const kept = JSON.stringify(await service.context.db.selectFrom('two_factors').selectAll().execute());
  for (const secret of [body.secret, body.recovery_codes[0]]) expect(kept).not.toContain(secret);
});

test('200: as a browser, too', async () => {
  const ada = await signUp(service);
  const as = { cookie: ada.cookie };
  expect(
    (await service.call('POST', '/api/auth/second-factor/start', { as, body: { password: goodPassword } })).status,
  ).toBe(200);
});

test('403 email_unverified: an address that nobody proved', async () => {
  const ada = await signUpUnverified(service);
  expect((await start(ada.token)).body.error.code).toBe('email_unverified');
});

test('422 invalid_request: a wrong password, and where it is on already', async () => {
  const ada = await signUp(service);
  const wrong = await start(ada.token, 'wrong password');
  expect([wrong.status, wrong.body.error.details[0].location]).toEqual([422, '/password']);
  const { token } = await addSecondFactor(service, ada);
  expect((await start(token)).status).toBe(422);
});
