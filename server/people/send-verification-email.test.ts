import { beforeAll, expect, test } from 'vitest';
import { signUp, signUpUnverified } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/send-verification-email';

test('200: another mail', async () => {
  const { email, token } = await signUpUnverified(service);
  expect((await service.call('POST', path, { as: token })).body).toEqual({ done: true });
  expect(service.emails.filter(({ to }) => to === email)).toHaveLength(2);
});

test('200: no mail for an address that is verified', async () => {
  const { email, token } = await signUp(service);
  expect((await service.call('POST', path, { as: token })).status).toBe(200);
  expect(service.emails.filter(({ to }) => to === email)).toHaveLength(0);
});

test('401 unauthenticated: nobody', async () => {
  expect((await service.call('POST', path)).status).toBe(401);
});

test('422 invalid_request: somebody else’s address', async () => {
  const { token } = await signUp(service);
  expect((await service.call('POST', path, { as: token, body: { email: 'a@example.com' } })).status).toBe(422);
});
