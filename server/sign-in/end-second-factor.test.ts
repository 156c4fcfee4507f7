import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { addSecondFactor } from '../../test/support/authenticator.ts';
import { goodPassword, signIn, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const end = (as: string, fields: object) =>
  service.call('POST', '/api/auth/second-factor/end', { as, body: { password: goodPassword, ...fields } });

test('200: with password and code; signing in takes the password alone', async () => {
  const ada = await signUp(service);
  const { token, phone } = await addSecondFactor(service, ada);
  expect((await end(token, { code: phone() })).body).toEqual({ done: true });
  expect(await signIn(service, ada.email)).toMatchObject({ userId: ada.userId });
  expect(service.emails.findLast(({ to }) => to === ada.email)?.text).toContain('switched off');
});

test('403 second_factor_required: without a code, or with a wrong one', async () => {
  const ada = await signUp(service);
  const { token } = await addSecondFactor(service, ada);
  for (const fields of [{}, { code: '000000' }, { code: 'not-a-code' }])
    expect((await end(token, fields)).body.error.code).toBe('second_factor_required');
});

test('422 invalid_request: a wrong password, and nothing to end', async () => {
  const ada = await signUp(service);
  expect((await end(ada.token, { code: '123456' })).status).toBe(422);
  const { token, phone } = await addSecondFactor(service, ada);
  expect((await end(token, { password: 'wrong password', code: phone() })).body.error.details[0].location).toBe(
    '/password',
  );
});
