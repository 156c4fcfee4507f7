import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../cli/run.ts';
import { runToEnd } from '../../test/support/command-line.ts';
import { createService, environment, type Service } from '../../test/support/harness.ts';
import { makeOperator, type TestPerson } from '../../test/support/people.ts';
import { claimStorage } from '../files/installation.ts';

let folder: string;
let service: Service;
let owner: TestPerson;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-daily-'));
  await mkdir(join(folder, 'files'));
  service = await createService();
  owner = await makeOperator(service, 'owner');
  await makeOperator(service, 'lead');
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const daily = (more: Record<string, string> = {}, ...words: string[]) =>
  runToEnd(run, ['doctor', '--daily', ...words], {
    env: { ...environment, PUBLIC_URL: service.url, DATABASE_URL: service.databaseUrl, DATA_DIR: folder, ...more },
  });
const ask = (statement: string) => sql.raw(statement).execute(service.context.db);
const mails = async () => {
  service.emails.length = 0;
  service.context.mailSender.wake();
  await service.context.mailSender.idle();
  return service.emails.map(({ to, subject, text }) => ({ to, subject, text }));
};

test('owners are mailed all problems at first, then what changed, and nothing if nothing did', async () => {
  const first = await daily();
  expect(first.code).toBe(2);
  expect(first.err).toMatch(/^New problems: [3-9], solved: 0\. Mails to owners that the service sends: 1\.\n$/);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: owner.email, subject: expect.stringMatching(/^Atelier: [3-9] new problems$/) });
  expect(mail?.text).toContain('\n\nLook at: mail server: There is no mail server');
  expect(mail?.text).toContain(' → Set SMTP_URL before the first customer.\n\n');
  expect(mail?.text).toContain(`http://localhost:3000/desk/health`);

  const second = await daily();
  expect(second.err).toBe('Nothing changed since the last examination of a day: nobody is mailed.\n');
  expect([second.code, await mails()]).toEqual([2, []]);

  // The storage is claimed, the backup was long ago, and only the age of the backup changes after that.
  await claimStorage(service.context);
  await ask(`update installation set created_at = now() - interval '30 hours'`);
  const third = await daily();
  expect(third.err).toMatch(/^New problems: \d, solved: \d\. Mails to owners that the service sends: 1\.\n$/);
  const [changes] = await mails();
  expect(changes?.subject).toMatch(/^Atelier: \d new problems?(, \d solved)?$/);
  expect(changes?.text).toContain('Look at: backup: No backup is recorded.');
  expect(changes?.text).not.toContain('mail server');
  expect(changes?.text).toMatch(/\n\nProblems as before: \d\.\n\n/);

  const { rows } = await ask('select from examinations where daily and ended_at is not null');
  expect(rows).toHaveLength(3);
});

test('who is no owner any more when the mail is sent gets none', async () => {
  await daily();
  await ask(`update people set operator_role = 'lead' where id = '${owner.userId}'`);
  expect(await mails()).toEqual([]);
  expect((await ask('select from mails')).rows).toEqual([]);
});

test('it says if nobody is told: no owner, a copy, a mail server that fails, a database that does not answer', async () => {
  const broken = await daily({ SMTP_URL: 'smtp://127.0.0.1:1' });
  expect([broken.code, broken.err]).toEqual([
    2,
    expect.stringMatching(
      /Nobody is told now, because the mail server fails\. Mails that wait for it, for 17 hours: 1\.\n$/,
    ),
  ]);
  expect((await daily({ OUTBOUND: 'off' })).err).toMatch(/Nobody is told, because this is a copy\.\n$/);
  const away = await daily({ DATABASE_URL: 'postgres://atelier:secret-of-it@127.0.0.1:1/atelier' });
  expect([away.code, away.err]).toEqual([
    2,
    expect.stringMatching(/^Nobody is told, because the examination cannot be stored: .*ECONNREFUSED.*\.\n$/),
  ]);
  await ask(`update people set operator_role = 'lead' where operator_role = 'owner'`);
  expect((await daily()).err).toMatch(/Nobody is told, because the studio has no owner\.\n$/);
});

test('a test mail is asked for alone', async () => {
  const { code, err } = await daily({}, '--mail-to', 'owner@example.com');
  expect([code, err]).toEqual([2, expect.stringContaining("'--daily' cannot be used with")]);
});
