import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { addSecondFactor } from '../../test/support/authenticator.ts';
import { goodPassword, mailedToken, signUp } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const change = (as: string, email: string, fields: object = {}) =>
  service.call('POST', '/api/auth/change-email', { as, body: { email, password: goodPassword, ...fields } });

test('200: a mail to the new address, and nothing changes yet', async () => {
  const ada = await signUp(service);
  expect((await change(ada.token, 'Ada.New@Example.com')).body).toEqual({ done: true });
  expect(mailedToken(service, 'ada.new@example.com', 'Confirm')).toHaveLength(43);
  expect((await service.call('GET', '/api/auth/session', { as: ada.token })).body.user.email).toBe(ada.email);
});

test('403 second_factor_required: without a code, where there is a second factor', async () => {
  const ada = await signUp(service);
  const { token, phone } = await addSecondFactor(service, ada);
  expect((await change(token, 'two@example.com')).body.error.code).toBe('second_factor_required');
  expect((await change(token, 'two@example.com', { code: phone() })).status).toBe(200);
});

test('422 invalid_request: an address that is taken, and a wrong password', async () => {
  const [ada, eve] = [await signUp(service), await signUp(service)];
  const taken = await change(eve.token, ada.email);
  expect([taken.status, taken.body.error.details[0].location]).toEqual([422, '/email']);
  const wrong = await change(eve.token, 'eve@example.com', { password: 'wrong password' });
  expect([wrong.status, wrong.body.error.details[0].location]).toEqual([422, '/password']);
});

test('the password proves who asks and opens no session', async () => {
  const ada = await signUp(service);
  await change(ada.token, 'three@example.com');
  const sessions = service.context.db.selectFrom('sessions').select('id').where('user_id', '=', ada.userId);
  expect(await sessions.execute()).toHaveLength(1);
});
