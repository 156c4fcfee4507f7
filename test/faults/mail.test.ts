import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signUpUnverified, type TestPerson } from '../support/people.ts';
import { createFaultyService, end, type Faulty } from './faulty-service.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { slack } from './load.ts';
import { ask } from './postgres.ts';

/** The process ends while the mail server hangs. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let service: Faulty;
let mailbox: Mailbox;
let ada: TestPerson;
beforeAll(async () => {
  mailbox = await openMailbox();
  service = await createFaultyService({ SMTP_URL: mailbox.url });
  ada = await signUpUnverified(service);
  await vi.waitFor(() => expect(mailbox.emails).toHaveLength(1), { timeout: 90_000 });
});
afterAll(async () => {
  await service.close();
  await mailbox.close();
});

const resets = () =>
  mailbox.emails
    .filter((email) => email.includes('Subject: Reset your password'))
    .map((email) => /^Message-ID: (<.+>)/im.exec(email)?.[1]);

async function askWhileItHangs(): Promise<void> {
  mailbox.answer('hang');
  const answer = await service.call('POST', '/api/auth/request-password-reset', { body: { email: ada.email } });
  expect(answer.status).toBe(200);
}

test('kill -9 between the commit and the mail: the next start sends it, once by its Message-ID', async () => {
  await askWhileItHangs();
  await end(service.run, 'SIGKILL');
  mailbox.answer('250');
  await service.restart();
  // A minute, which the killed process had for it, is over.
  await ask(service.folder, 'update mails set due_at = now()');
  await vi.waitFor(() => expect(resets()).toHaveLength(1), { timeout: 90_000 });
  await vi.waitFor(async () => expect(await ask(service.folder, 'select kind from mails')).toEqual([]), {
    timeout: 90_000,
  });
  expect(resets()).toHaveLength(1);
});

test('SIGTERM while the mail server hangs: it ends soon, and the next start sends the mail at once', async () => {
  await askWhileItHangs();
  const told = performance.now();
  await end(service.run, 'SIGTERM');
  expect(performance.now() - told).toBeLessThan(8_000 + slack());
  mailbox.answer('250');
  await service.restart();
  await vi.waitFor(() => expect(resets()).toHaveLength(2), { timeout: 40_000 });
  expect(new Set(resets()).size).toBe(2);
});
