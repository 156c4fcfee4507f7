import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, signUp } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const path = '/api/auth/sign-up/email';
const draft = (fields: object = {}) => ({
  name: 'Grace Hopper',
  email: 'grace@example.com',
  password: goodPassword,
  ...fields,
});

test('200: a user, an account of their own, and a session as bearer and as cookie', async () => {
  const answer = await service.call('POST', path, { body: draft({ email: 'Grace@Example.com' }) });
  expect(answer.status).toBe(200);
  expect(answer.body.user).toMatchObject({ name: 'Grace Hopper', email: 'grace@example.com', email_verified: false });
  expect(answer.headers.get('set-auth-token')).toBe(answer.body.token);
  const [cookie] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/^atelier\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);

  for (const as of [answer.body.token as string, { cookie: cookie?.split(';')[0] ?? '' }]) {
    const mine = await service.call('GET', '/api/auth/accounts', { as });
    expect(mine.body.accounts).toEqual([
      { id: expect.stringMatching(/^acct_/), name: 'Grace Hopper', role: 'owner', active: true },
    ]);
  }
});

test('422 invalid_request: a name of almost a megabyte, within a second', async () => {
  const began = performance.now();
  const answer = await service.call('POST', path, { body: draft({ name: `${'a'.repeat(1_000_000)}\u0001` }) });
  expect([answer.status, answer.body.error.details[0].location]).toEqual([422, '/name']);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('200: a mail with a link to a page that verifies the address', async () => {
  const { email, token } = await signUp(service);
  const mail = service.emails.find(({ to }) => to === email);
  const link = /http:\/\/localhost:3000(\/verify-email\?token=\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const page = await fetch(service.url + link);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<h1>Your e-mail address is verified</h1>');
  expect(
    (
      await service.context.db
        .selectFrom('auth.user')
        .select('email_verified')
        .where('email', '=', email)
        .executeTakeFirst()
    )?.email_verified,
  ).toBe(true);
  expect((await service.call('POST', '/api/auth/send-verification-email', { as: token })).status).toBe(200);
});

test('422 invalid_request: the address is taken, in whatever case', async () => {
  const { email } = await signUp(service);
  const { status, body } = await service.call('POST', path, { body: draft({ email: email.toUpperCase() }) });
  expect(status).toBe(422);
  expect(body.error.code).toBe('invalid_request');
  expect(body.error.details).toEqual([{ location: '/email', message: expect.stringContaining('in use') }]);
});

test('422 invalid_request: of two sign-ups at the same moment with one address, one wins', async () => {
  const body = draft({ email: 'twins@example.com' });
  const answers = await Promise.all([1, 2, 3, 4].map(() => service.call('POST', path, { body })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422]);
});

test.each([
  ['a short password', { password: 'too short' }, '/password'],
  ['no address', { email: 'grace' }, '/email'],
  ['an address that the library would refuse', { email: 'grâce@example.com' }, '/email'],
  ['a name of spaces', { name: '   ' }, '/name'],
  ['the operator flag', { operator: true }, '/operator'],
  ['a role', { role: 'owner' }, '/role'],
])('422 invalid_request: %s', async (_, fields, location) => {
  const { status, body } = await service.call('POST', path, { body: draft({ email: 'new@example.com', ...fields }) });
  expect(status).toBe(422);
  expect(body.error.details[0].location).toBe(location);
});

test('200: a password of 128 emoji works', async () => {
  const body = draft({ email: 'emoji@example.com', password: '🦊'.repeat(128) });
  expect((await service.call('POST', path, { body })).status).toBe(200);
});

test('403 csrf_token_invalid: a browser on another origin', async () => {
  const { status, body } = await service.call('POST', path, {
    body: draft(),
    headers: { origin: 'https://evil.example' },
  });
  expect([status, body.error.code]).toEqual([403, 'csrf_token_invalid']);
});
