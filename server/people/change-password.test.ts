import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { insertGrant } from '../../test/support/apps.ts';
import { addSecondFactor } from '../../test/support/authenticator.ts';
import { goodPassword, signIn, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const fresh = 'another good password';
const change = (as: string, fields: object = {}) =>
  service.call('POST', '/api/auth/change-password', {
    as,
    body: { current_password: goodPassword, new_password: fresh, ...fields },
  });
const status = async (as: string) => (await service.call('GET', '/api/auth/session', { as })).status;
const tryPassword = async (email: string, password: string) =>
  (await service.call('POST', '/api/auth/sign-in/email', { body: { email, password } })).status;

test('200: this session stays, the others end, and the person gets a mail', async () => {
  const ada = await signUp(service);
  const phone = await signIn(service, ada.email);
  expect((await change(ada.token)).body).toEqual({ done: true });
  expect([await status(ada.token), await status(phone.token)]).toEqual([200, 401]);
  expect([await tryPassword(ada.email, goodPassword), await tryPassword(ada.email, fresh)]).toEqual([401, 200]);
  const mail = service.emails.findLast(({ to }) => to === ada.email);
  expect(mail?.subject).toBe('Your password was changed');
  expect(mail?.text).toContain('http://localhost:3000/undo-change?token=');
  expect(mail?.text).not.toContain('apps that you connected');
  const { sessions } = (await service.call('GET', '/api/auth/sessions', { as: ada.token })).body;
  expect(sessions).toHaveLength(2); // and the one that was just opened: proving the password left none
});

test('200: the mail to somebody with connected apps says that these stay, and where to end them', async () => {
  const ada = await signUp(service);
  await insertGrant(service, ada);
  await change(ada.token);
  const mail = service.emails.findLast(({ to }) => to === ada.email);
  expect(mail?.text).toContain('The apps that you connected keep their access');
  expect(mail?.text).toContain('http://localhost:3000/settings\n');
});

test('200: of sign-ins with the old password at the same moment none outlives the change', async () => {
  const ada = await signUp(service);
  const attempts = Array.from({ length: 6 }, () =>
    service.call('POST', '/api/auth/sign-in/email', { body: { email: ada.email, password: goodPassword } }),
  );
  const [changed, ...signedIn] = await Promise.all([change(ada.token), ...attempts]);
  expect(changed.status).toBe(200);
  for (const { body } of signedIn) if (body.token) expect(await status(body.token)).toBe(401);
});

test('200: while the session signs out, the password is changed or the session is gone', async () => {
  const ada = await signUp(service);
  const [changed] = await Promise.all([
    change(ada.token),
    service.call('POST', '/api/auth/sign-out', { as: ada.token }),
  ]);
  expect(await status(ada.token)).toBe(401);
  expect(await tryPassword(ada.email, changed.status === 200 ? fresh : goodPassword)).toBe(200);
});

test('403 second_factor_required: without a code, where there is a second factor', async () => {
  const ada = await signUp(service);
  const { token, phone } = await addSecondFactor(service, ada);
  expect((await change(token)).body.error.code).toBe('second_factor_required');
  expect((await change(token, { code: phone() })).status).toBe(200);
});

test('422 invalid_request: a wrong password, and a common new one', async () => {
  const ada = await signUp(service);
  const wrong = await change(ada.token, { current_password: 'wrong password' });
  expect([wrong.status, wrong.body.error.details[0].location]).toEqual([422, '/current_password']);
  const common = await change(ada.token, { new_password: '1q2w3e4r5t6y' });
  expect([common.status, common.body.error.details[0].location]).toEqual([422, '/new_password']);
  expect(await tryPassword(ada.email, goodPassword)).toBe(200);
});
