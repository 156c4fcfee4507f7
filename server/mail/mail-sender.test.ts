import { sql } from 'kysely';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { type Mailbox, openMailbox } from '../../test/faults/mailbox.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { createStudio, makeMoves, newJob, waysTo } from '../../test/support/jobs.ts';
import { addMember, goodPassword, signUpUnverified, type TestPerson } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

/** A real mail server, which can be down, hang, put off, refuse and cut off. */

async function openService(env: Record<string, string>, databaseUrl?: string): Promise<Service> {
  const service = await createService({ LOG_LEVEL: 'fatal', ...env }, databaseUrl === undefined ? {} : { databaseUrl });
  onTestFinished(() => service.close());
  return service;
}

let mailbox: Mailbox;
async function openBoth(): Promise<Service> {
  mailbox = await openMailbox();
  return openService({ SMTP_URL: mailbox.url });
}
afterEach(() => mailbox.close());

/** Asked as a client does, which waits for no mail. */
const askReset = (service: Service, email: string) =>
  fetch(`${service.url}/api/auth/request-password-reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });

/** What waits in the outbox. `later`: not before its time. */
async function waiting({ context: { db } }: Service) {
  const { rows } = await sql<{ kind: string; attempts: number; later: boolean }>`
    select kind, attempts, due_at > now() as later from mails order by id`.execute(db);
  return rows;
}

async function sendDue({ context: { mailSender } }: Service): Promise<void> {
  mailSender.wake();
  await mailSender.idle();
}

/** All pauses are over. */
async function timePasses(service: Service): Promise<void> {
  await sql`update mails set due_at = now() - interval '1 ms'`.execute(service.context.db);
  await sendDue(service);
}

const messageIds = () => mailbox.emails.map((email) => /^Message-ID: (<.+>)/im.exec(email)?.[1]);
const subjects = () => mailbox.emails.map((email) => /^Subject: (.+)/im.exec(email)?.[1]);

test('down at a sign-up: the mail waits, and arrives once the server is back', async () => {
  const service = await openBoth();
  await mailbox.close();
  const ada = await signUpUnverified(service, 'Ada');
  await sql`update people set email_verified = false`.execute(service.context.db);
  expect(await waiting(service)).toEqual([{ kind: 'verify_email', attempts: 1, later: true }]);
  await sendDue(service);
  expect(await waiting(service), 'not before its time').toMatchObject([{ attempts: 1 }]);
  await timePasses(service);
  expect(await waiting(service)).toEqual([{ kind: 'verify_email', attempts: 2, later: true }]);
  mailbox = await openMailbox(mailbox.port);
  await timePasses(service);
  expect(await waiting(service)).toEqual([]);
  const [mail] = mailbox.emails;
  expect(mail).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  const token = /verify-email\?token=([\w-]{43})/.exec(mail ?? '')?.[1];
  const body = { token };
  expect((await service.call('POST', '/api/auth/verify-email', { as: ada.token, body })).status).toBe(200);
});

test('puts off (451): it is sent again later; refuses (550): it is not', async () => {
  const service = await openBoth();
  const { email } = await signUpUnverified(service);
  mailbox.answer('451');
  await service.call('POST', '/api/auth/request-password-reset', { body: { email } });
  expect(await waiting(service)).toMatchObject([{ kind: 'reset_password', attempts: 1, later: true }]);
  mailbox.answer('550');
  await timePasses(service);
  expect(await waiting(service)).toEqual([]);
  mailbox.answer('250');
  await timePasses(service);
  expect(subjects()).toEqual(['Verify your e-mail address']);
});

test('refuses the connection (421): no mail is lost', async () => {
  const service = await openBoth();
  mailbox.answer('421');
  await signUpUnverified(service);
  expect(await waiting(service)).toMatchObject([{ kind: 'verify_email', attempts: 1 }]);
});

test('killed after it has the text of a mail: it is sent again, with the same Message-ID', async () => {
  const service = await openBoth();
  mailbox.answer('cut');
  const { email } = await signUpUnverified(service);
  await sql`update people set email_verified = false where email = ${email}`.execute(service.context.db);
  mailbox.answer('250');
  await timePasses(service);
  expect(mailbox.emails).toHaveLength(2);
  expect(new Set(messageIds()).size).toBe(1);
  expect(messageIds()[0]).toMatch(/^<[0-9a-f-]{36}@localhost>$/);
});

test('hangs: no answer waits for it, and a process that stops hands its mails to another', async () => {
  const service = await openBoth();
  const other = await openService({ SMTP_URL: mailbox.url }, service.databaseUrl);
  const { email } = await signUpUnverified(service);
  mailbox.answer('hang');
  const asked = performance.now();
  expect((await askReset(service, email)).status).toBe(200);
  expect(performance.now() - asked).toBeLessThan(20_000);
  await expect.poll(() => waiting(service)).toMatchObject([{ attempts: 1, later: true }]);
  await sendDue(other);
  expect(await waiting(service), 'nobody else takes a claimed mail').toMatchObject([{ attempts: 1 }]);
  await service.context.mailSender.stop();
  expect(await waiting(other)).toMatchObject([{ kind: 'reset_password', attempts: 0, later: false }]);
  mailbox.answer('250');
  await sendDue(other);
  expect(subjects()).toEqual(['Verify your e-mail address', 'Reset your password']);
});

test('processes that look at the same moment send each mail once', async () => {
  const service = await openBoth();
  const other = await openService({ SMTP_URL: mailbox.url }, service.databaseUrl);
  const people = await Promise.all(Array.from({ length: 8 }, (_, n) => signUpUnverified(service, `Person ${n}`)));
  await service.context.mailSender.stop();
  await Promise.all(people.map(({ email }) => askReset(service, email)));
  const third = await openService({ SMTP_URL: mailbox.url }, service.databaseUrl);
  await Promise.all([sendDue(other), sendDue(third), sendDue(other), sendDue(third)]);
  expect(subjects().filter((subject) => subject === 'Reset your password')).toHaveLength(8);
  expect(new Set(messageIds()).size).toBe(16);
});

test('a mail that would come after its time is not sent', async () => {
  const service = await openBoth();
  mailbox.answer('451');
  const { email } = await signUpUnverified(service);
  await askReset(service, email);
  await service.context.mailSender.idle();
  await sql`update mails set expires_at = now() + interval '20 seconds'`.execute(service.context.db);
  await timePasses(service);
  expect(await waiting(service), 'the next attempt would be too late').toEqual([]);
  await askReset(service, email);
  await service.context.mailSender.idle();
  await sql`update mails set expires_at = now() - interval '1 ms'`.execute(service.context.db);
  mailbox.answer('250');
  await timePasses(service);
  expect([await waiting(service), mailbox.emails]).toEqual([[], []]);
});

test('mails that lose their purpose while the server is away are dropped', async () => {
  mailbox = await openMailbox();
  const studio = await createStudio({ SMTP_URL: mailbox.url, LOG_LEVEL: 'fatal' });
  const { service, ada } = studio;
  onTestFinished(() => service.close());
  const send = async (method: string, path: string, as: TestPerson, body?: unknown) => {
    const answer = await service.call(method, path, { as: as.token, ...(body === undefined ? {} : { body }) });
    expect(answer.status, `${method} ${path}`).toBeLessThan(300);
    return answer.body;
  };
  const [leaver, deleted, changer] = [
    await addMember(service, ada, 'member'),
    await signUpUnverified(service),
    await signUpUnverified(service),
  ];
  await sendDue(service);
  await sql`delete from mails`.execute(service.context.db);
  mailbox.emails.length = 0;
  mailbox.answer('451');

  const { invitation } = await send('POST', '/api/auth/invitations', ada, { email: 'new@example.com', role: 'member' });
  const [approved, left] = [await newJob(service, ada.token), await newJob(service, leaver.token)];
  await makeMoves(studio, approved, ...waysTo.ready_for_customer_review);
  await makeMoves(studio, left, ...waysTo.ready_for_customer_review);
  await send('POST', '/api/auth/change-email', changer, { email: 'changed@example.com', password: goodPassword });
  for (const { email } of [deleted, changer]) await askReset(service, email);
  await askReset(service, 'nobody@example.com');
  await service.context.mailSender.idle();
  expect((await waiting(service)).map(({ kind }) => kind).toSorted()).toEqual(
    ['change_email', 'invitation', 'job_ready', 'job_ready', 'reset_password', 'reset_password'].toSorted(),
  );

  await send('DELETE', `/api/auth/invitations/${invitation.id}`, ada);
  await send('POST', `/api/v1/jobs/${approved}/approve`, ada);
  await send('DELETE', `/api/auth/members/${showId('mem', leaver.memberId)}`, ada);
  await send('POST', '/api/auth/delete', deleted, { password: goodPassword });
  await send('POST', '/api/auth/change-password', changer, {
    current_password: goodPassword,
    new_password: `${goodPassword}!`,
  });
  mailbox.answer('250');
  await timePasses(service);
  expect([await waiting(service), subjects()]).toEqual([[], ['Your password was changed']]);
});
