import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, signUpUnverified } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { requestByHand } from '../../test/support/request-by-hand.ts';

let service: Service;
beforeAll(async () => void (service = await createService({ PUBLIC_URL: 'http://atelier.localhost:8080' })));
afterAll(() => service.close());

const answerTo = (headers: Record<string, string>, path = '/sandbox/mail') => requestByHand(service, path, headers);

test('shows the mails, newest first, as a page with links and as JSON', async () => {
  const first = await signUpUnverified(service);
  await service.call('POST', '/api/auth/request-password-reset', { body: { email: first.email } });
  const page = await answerTo({});
  expect(page.status).toBe(200);
  expect(page.text).toMatch(/<a href="http:\/\/atelier\.localhost:8080\/reset-password\?token=[\w-]{43}">/);
  expect(page.text.indexOf('Reset your password')).toBeLessThan(page.text.indexOf('Verify your e-mail'));
  const { mails } = JSON.parse((await answerTo({ accept: 'application/json' })).text);
  expect(mails[0]).toEqual({
    to: first.email,
    subject: 'Reset your password',
    text: expect.stringContaining('/reset-password?token='),
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test('keeps the newest 200', async () => {
  const { mailbox } = service.context;
  for (let n = 0; n < 205; n++) await mailbox.keep({ to: 'many@example.com', subject: `Number ${n}`, text: '' });
  const mails = await mailbox.read();
  expect([mails.length, mails[0]?.subject, mails.at(-1)?.subject]).toEqual([200, 'Number 204', 'Number 5']);
});

test.each([
  ['behind a proxy', { 'x-forwarded-for': '203.0.113.1' }],
  ['behind another proxy', { forwarded: 'for=203.0.113.1' }],
  ['behind a content network', { 'cf-connecting-ip': '203.0.113.1' }],
  ['behind a proxy of another kind', { 'x-client-ip': '203.0.113.1' }],
  ['behind a proxy that names itself', { via: '1.1 cache' }],
  ['under the name of another site', { host: 'evil.example' }],
  ['under a name that begins like this machine', { host: '127.0.0.1.evil.example' }],
])('404 for a request %s', async (_, headers: Record<string, string>) => {
  expect((await answerTo(headers)).status).toBe(404);
});

test.each(['localhost:1', '127.0.0.1', '[::1]:3000', 'atelier.localhost:8080'])('200 for the name %s', async (host) => {
  expect((await answerTo({ host })).status).toBe(200);
});

test('there is no such page at a service with a public name', async () => {
  const other = await createService({ PUBLIC_URL: 'http://atelier.example' }, { databaseUrl: service.databaseUrl });
  expect((await fetch(`${other.url}/sandbox/mail`)).status).toBe(404);
  const { installation } = (await other.call('GET', '/api/v1/installation')).body;
  expect(installation.mailbox).toBeNull();
  await other.close();
});

test('there is no such page if mails are sent by SMTP', async () => {
  const other = await createService({ SMTP_URL: 'smtp://127.0.0.1:9' });
  expect((await fetch(`${other.url}/sandbox/mail`)).status).toBe(404);
  await other.close();
});

test('the page escapes text from mails', async () => {
  const body = { name: 'Ada', email: 'x@example.com', password: goodPassword };
  await service.context.mailbox.keep({ to: body.email, subject: '<b>', text: 'http://a.example/<script>' });
  const { text } = await answerTo({});
  expect(text).toContain('&lt;b&gt;');
  expect(text).not.toMatch(/<script|<b>/);
});
