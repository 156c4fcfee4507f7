import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { signUp, signUpUnverified } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const open = (as: string, name = 'Rise Bakery') => service.call('POST', '/api/auth/accounts', { as, body: { name } });

test('201: the person owns it, and the session acts for it', async () => {
  const ada = await signUp(service);
  const { status, body } = await open(ada.token);
  expect([status, body.account]).toEqual([
    201,
    { id: body.account.id, name: 'Rise Bakery', role: 'owner', active: true },
  ]);
  expect((await service.call('GET', '/api/v1/me', { as: ada.token })).body.account.name).toBe('Rise Bakery');
});

test('403 limit_reached: the 21st, also of many at once', async () => {
  const ada = await signUp(service);
  const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => open(ada.token, `Account ${n}`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(19);
  expect(answers.find(({ status }) => status === 403)?.body.error.code).toBe('limit_reached');
});

test('403 email_unverified: an address that nobody proved', async () => {
  expect((await open((await signUpUnverified(service)).token)).body.error.code).toBe('email_unverified');
});

test.each(['see https://a.example', 'see www.a.example', 'a.example/pay'])(
  '422 invalid_request: a name with a link: %s',
  async (name) => {
    expect((await open((await signUp(service)).token, name)).status).toBe(422);
  },
);
