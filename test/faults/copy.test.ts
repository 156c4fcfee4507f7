import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../cli/run.ts';
import { migrate } from '../../server/db/migrate.ts';
import { isForeign } from '../../server/files/guard-storage.ts';
import { DeliveryEngine } from '../../server/webhooks/delivery-engine.ts';
import { runToEnd } from '../support/command-line.ts';
import { startDebianPostgres } from '../support/debian-postgres.ts';
import { newFile, someBytes } from '../support/files.ts';
import { createService, environment, type Service } from '../support/harness.ts';
import { createStudio, newJob, post, type Studio } from '../support/jobs.ts';
import { goodPassword, signUpUnverified } from '../support/people.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import { queryAt } from './postgres.ts';
import { openFolder, removeFolder } from './process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** A backup of a studio in use: two sign-ups are in the outbox, and an endpoint has not got an event yet. */
let folder: string;
let mailbox: Mailbox;
let receiver: Receiver;
let postgres: Awaited<ReturnType<typeof startDebianPostgres>>;
let studio: Studio;
let from: Record<string, string>;
let backup: string;
const publicUrl = 'http://localhost:3000';

beforeEach(async () => {
  folder = await openFolder();
  mailbox = await openMailbox();
  receiver = await createReceiver();
  postgres = await startDebianPostgres(15);
  await migrate(postgres.url);
  const outside = { SMTP_URL: mailbox.url, WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'fatal' };
  const files = { STORAGE_URL: `file:${join(folder, 'files')}` };
  studio = await createStudio({ ...outside, ...files }, { databaseUrl: postgres.url });
  const { service, ada, key } = studio;
  await newFile(service, key, someBytes());
  expect((await post(service, ada.token, '/api/v1/webhook-endpoints', { url: receiver.url })).status).toBe(201);
  await newJob(service, key);
  await service.context.mailSender.stop();
  for (const name of ['Ada', 'Grace']) await signUpUnverified(service, name);
  mailbox.emails.length = 0;
  from = { ...environment, ...outside, ...files, DATABASE_URL: postgres.url, DATA_DIR: folder, PUBLIC_URL: publicUrl };
  backup = join(folder, 'backup');
  await admin(['backup', backup], from, 0);
});
afterEach(async () => {
  await studio.service.close();
  await postgres.stop();
  await receiver.close();
  await mailbox.close();
  await removeFolder(folder);
});

async function admin(words: string[], env: Record<string, string>, code: number): Promise<string> {
  const ended = await runToEnd(run, words, { env });
  expect(ended.code, ended.out + ended.err).toBe(code);
  return ended.out + ended.err;
}

/** An empty database on the same server, and a folder for files. */
async function emptyPlace(name: string, changes: Record<string, string> = {}): Promise<Record<string, string>> {
  await queryAt(postgres.url, `create database ${name}`);
  const DATABASE_URL = postgres.url.replace('/atelier?', `/${name}?`);
  await mkdir(join(folder, name));
  return {
    ...from,
    DATABASE_URL,
    DATA_DIR: join(folder, name),
    STORAGE_URL: `file:${join(folder, name, 'files')}`,
    ...changes,
  };
}

/** Runs a service on the place until `use` is over, and lets its mails and deliveries go out. */
async function serve<T>(place: Record<string, string>, use: (service: Service) => Promise<T>): Promise<T> {
  const service = await createService({ ...place, PORT: '0' }, { databaseUrl: place.DATABASE_URL! });
  const engine = new DeliveryEngine(service.context);
  try {
    service.context.mailSender.wake();
    await service.context.mailSender.idle();
    return await use(service);
  } finally {
    await engine.stop();
    await service.close();
  }
}

test('restore --as-copy: nothing goes out, nobody is let in but by password, until end-copy; and then nothing of before', async () => {
  const place = await emptyPlace('copy', { PUBLIC_URL: 'http://copy.example' });
  expect(await admin(['restore', backup, '--as-copy', '--moved'], place, 1)).toContain('cannot be combined');
  const taken = { ...place, STORAGE_URL: `file:${join(folder, 'taken')}` };
  await mkdir(join(folder, 'taken'));
  await writeFile(join(folder, 'taken/atelier-installation'), 'another one');
  expect(await admin(['restore', backup, '--as-copy'], taken, 1)).toContain('belongs to another installation');
  const said = await admin(['restore', backup, '--as-copy'], place, 0);
  expect(said).toContain('This is a copy. It sends no mails and reaches nothing outside.');
  expect(said).toContain('no contradiction');

  // OUTBOUND is not set: the database knows.
  await serve(place, async (service) => {
    expect(service.context.isCopy).toBe(true);
    const { ada, key, operator } = studio;
    for (const as of [ada.token, key, operator.token])
      expect((await service.call('GET', '/api/v1/me', { as })).status).toBe(401);
    const body = { email: ada.email, password: goodPassword };
    const session = await service.call('POST', '/api/auth/sign-in/email', { body });
    expect(session.status).toBe(200);
    await newJob(service, session.body.token);
    await signUpUnverified(service);
    await service.context.mailSender.idle();
    const { rows } = await sql`select from mails union all select from webhook_endpoints`.execute(service.context.db);
    expect(rows).toEqual([]);
    const original = { db: service.context.db, storage: studio.service.context.storage };
    expect([await isForeign(service.context), await isForeign(original)]).toEqual([false, true]);
  });
  expect(await admin(['end-copy'], from, 1)).toContain('This database is no copy.');
  await admin(['end-copy'], place, 0);
  await serve(place, async (service) => {
    expect(service.context.isCopy).toBe(false);
    expect([mailbox.emails, receiver.received]).toEqual([[], []]);
    await signUpUnverified(service);
    await service.context.mailSender.idle();
    expect(mailbox.emails).toHaveLength(1);
  });
});

test('a restore that did not end is not served and not migrated, until it is restored again', async () => {
  const place = await emptyPlace('half');
  vi.stubEnv('TMPDIR', join(folder, 'nowhere'));
  await admin(['restore', backup, '--as-copy'], place, 1);
  vi.unstubAllEnvs();
  expect(await admin(['migrate'], place, 1)).toContain('A restore did not end here: empty the database');
  await queryAt(place.DATABASE_URL!, 'drop schema public cascade; create schema public');
  expect(await admin(['migrate'], place, 1)).toContain('A restore did not end here');
  await admin(['restore', backup, '--as-copy'], place, 0);
  expect(await admin(['migrate'], place, 0)).toContain('Nothing to migrate');
});

test('restore wants --moved or --as-copy under another PUBLIC_URL, into another database, and of an old backup', async () => {
  const place = await emptyPlace('other');
  const elsewhere = { ...place, PUBLIC_URL: 'http://copy.example' };
  expect(await admin(['restore', backup], elsewhere, 1)).toMatch(
    /is of http:\/\/localhost:3000, and PUBLIC_URL is http:\/\/copy\.example[^]*--moved if [^]*--as-copy for /,
  );
  expect(await admin(['restore', backup], place, 1)).toContain('is of another database');
  const file = join(backup, 'manifest.json');
  const { origin: _, ...manifest } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify(manifest));
  expect(await admin(['restore', backup], place, 1)).toContain('does not name its installation');
  await admin(['restore', backup, '--verify'], place, 0);

  await admin(['restore', backup, '--moved'], elsewhere, 0);
  await serve(elsewhere, async (service) => {
    expect(service.context.isCopy).toBe(false);
    await vi.waitFor(() => expect(mailbox.emails).toHaveLength(2), 10_000);
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), 10_000);
  });
});

test('restored in place, under the same address, it needs no option', async () => {
  await studio.service.close();
  await queryAt(postgres.url, 'drop schema public cascade; create schema public');
  const place = { ...from, STORAGE_URL: `file:${join(folder, 'new')}` };
  expect(await admin(['restore', backup], place, 0)).toContain('no contradiction');
});
