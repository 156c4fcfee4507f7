import { beforeAll, expect, test } from 'vitest';
import { insertGrant } from '../../test/support/apps.ts';
import { signUp } from '../../test/support/people.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const path = '/api/auth/request-password-reset';

test('200: a mail with a link to the page where the password is chosen', async () => {
  const { email } = await signUp(service);
  const answer = await service.call('POST', path, { body: { email: email.toUpperCase() } });
  expect([answer.status, answer.body]).toEqual([200, { done: true }]);
  const emails = service.emails.filter(({ to, subject }) => to === email && subject.startsWith('Reset'));
  expect(emails).toHaveLength(1);
  expect(emails[0]?.text).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/m);
});

test('200: the mail to somebody with connected apps says that these stay, and where to end them', async () => {
  const ada = await signUp(service);
  await insertGrant(service, ada);
  await service.call('POST', path, { body: { email: ada.email } });
  const mail = service.emails.findLast(({ to }) => to === ada.email);
  expect(mail?.text).toContain('The apps that you connected keep their access');
  expect(mail?.text).toContain('http://localhost:3000/settings\n');
});

test('200: links are made of the configured address, whatever the request claims', async () => {
  const { email } = await signUp(service);
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  await service.call('POST', path, { body: { email }, headers });
  expect(
    service.emails
      .filter(({ to }) => to === email)
      .map(({ text }) => text)
      .join(),
  ).not.toContain('evil');
});

test('200: the same answer and no mail for an unknown address', async () => {
  const answer = await service.call('POST', path, { body: { email: 'nobody@example.com' } });
  expect([answer.status, answer.body]).toEqual([200, { done: true }]);
  expect(service.emails.filter(({ to }) => to === 'nobody@example.com')).toEqual([]);
});

test('422 invalid_request: no address', async () => {
  expect((await service.call('POST', path, { body: { email: 'nobody' } })).status).toBe(422);
});
