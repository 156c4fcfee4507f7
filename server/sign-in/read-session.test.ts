import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { showId } from '../lib/id.ts';
import { signUp, signUpUnverified } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/session';

test('200: the person, the account and the role; the CSRF token for cookies alone', async () => {
  const ada = await signUp(service, 'Ada');
  const { status, body } = await service.call('GET', path, { as: ada.token });
  expect(status).toBe(200);
  expect(body).toEqual({
    user: {
      id: showId('user', ada.userId),
      name: 'Ada',
      email: ada.email,
      email_verified: true,
      operator: false,
      operator_role: null,
      second_factor: false,
      name_needed: false,
    },
    account: { id: showId('acct', ada.accountId), name: 'Ada', suspended_since: null },
    role: 'owner',
    view: null,
    session_id: showId('sess', ada.sessionId),
  });
  const browser = await service.call('GET', path, { as: { cookie: ada.cookie } });
  expect(browser.body.csrf_token).toBe(ada.csrf);
});

test('200: an address that is not verified, and a person without an account', async () => {
  const person = await signUpUnverified(service);
  expect((await service.call('GET', path, { as: person.token })).body.user.email_verified).toBe(false);
  await service.context.db.deleteFrom('members').where('user_id', '=', person.userId).execute();
  const { status, body } = await service.call('GET', path, { as: person.token });
  expect([status, body.account, body.role]).toEqual([200, null, null]);
});

test('403 role_required: an API key is no person', async () => {
  const ada = await signUp(service);
  const { body } = await service.call('POST', '/api/v1/api-keys', { as: ada.token, body: { name: 'k' } });
  expect((await service.call('GET', path, { as: body.plaintext_key })).status).toBe(403);
});
