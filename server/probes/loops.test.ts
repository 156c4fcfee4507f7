import pg from 'pg';
import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queue } from '../db/queue.ts';
import type { Hub } from '../events/hub.ts';
import { startScheduledTasks } from '../scheduled-tasks.ts';
import { DeliveryEngine } from '../webhooks/delivery-engine.ts';
import { type Mailbox, openMailbox } from '../../test/faults/mailbox.ts';
import { firstName, named, publish } from '../../test/support/catalog-versions.ts';
import { type Followed, followEvents } from '../../test/support/event-stream.ts';
import { newFile, openTestStorage, type TestStorage } from '../../test/support/files.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { createStudio, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import { blackPng } from '../../test/support/pictures.ts';
import { createReceiver, type Receiver } from '../../test/support/receiver.ts';
import { newEndpoint } from '../../test/support/webhooks.ts';

/** Everything that a process does again and again goes on after what it needs was away. */

const names = [
  'database',
  'tasks',
  'posters',
  'storage',
  'mails',
  'events',
  'listener',
  'catalog',
  'credentials',
  'streams',
  'deliveries_queue',
  'deliveries_send',
  'deliveries_record',
].toSorted();
const soon = { timeout: 90_000, interval: 100 };

let storage: TestStorage;
let mailbox: Mailbox;
let receiver: Receiver;
let studio: Studio;
/** Another process of the same installation. */
let other: Service;
let admin: pg.Client;
let tasks: Queue;
let engine: DeliveryEngine;
/** How often the engine has asked the hub to wake it. */
let watches = 0;
/** Open from the beginning to the end. */
let stream: Followed;
const streamed: string[] = [];

beforeAll(async () => {
  storage = await openTestStorage('file');
  mailbox = await openMailbox();
  receiver = await createReceiver();
  const env = { LOG_LEVEL: 'silent', SMTP_URL: mailbox.url, WEBHOOK_ALLOW: '127.0.0.1', ...storage.env };
  studio = await createStudio(env);
  const { context, databaseUrl } = studio.service;
  other = await createService(env, { databaseUrl });
  const server = new URL(databaseUrl);
  server.pathname = '/postgres';
  admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  tasks = startScheduledTasks(context, databaseUrl);
  const watch: Hub['watch'] = (...from) => (watches++, context.hub.watch(...from));
  engine = new DeliveryEngine({ ...context, hub: { ...context.hub, watch } });
  context.mailSender.start();
  await context.storageWatch.start();
  await newEndpoint({ ...studio, engine, receiver });
  stream = await followEvents(studio.service, studio.ada.token);
  void follow().catch(() => {}); // closed at the end
});
afterAll(async () => {
  await stream.close();
  await Promise.all([tasks.stop(), engine.stop()]);
  await other.close();
  await studio.service.close();
  await Promise.all([admin.end(), mailbox.close(), receiver.close(), storage.close()]);
});

async function follow(): Promise<void> {
  for (let entry = await stream.next(); entry; entry = await stream.next())
    streamed.push(entry.event ?? entry.data.job?.id);
}

const database = () => new URL(studio.service.databaseUrl).pathname.slice(1);
async function takeDatabaseAway(): Promise<void> {
  await admin.query(`alter database ${database()} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database()]);
}
const giveDatabaseBack = () => admin.query(`alter database ${database()} allow_connections true`);

const answers = async (service: Service) => {
  const { rows } = await sql<{ ok: number }>`select 1 as ok`.execute(service.context.db).catch(() => ({ rows: [] }));
  return rows.length;
};
async function untilAnswering(): Promise<void> {
  await expect.poll(() => Promise.all([answers(studio.service), answers(other)]), soon).toEqual([1, 1]);
}

/** What waits for its next attempt is due now. */
async function skipPauses(): Promise<void> {
  const { db } = studio.service.context;
  await sql`update mails set due_at = now() where due_at > now()`.execute(db);
  await sql`update webhook_deliveries set due_at = now() where done_at is null and due_at > now()`.execute(db);
  await sql`update files set poster_due_at = now() where poster_due_at > now()`.execute(db);
}

const ages = async (): Promise<Record<string, number>> => {
  const { body } = await studio.service.call('GET', '/metrics');
  const lines = [...String(body).matchAll(/^atelier_loop_age_seconds\{loop="(\w+)"\} (\S+)$/gm)];
  return Object.fromEntries(lines.map(([, name, age]) => [name, Number(age)]));
};
const late = async () => Object.entries(await ages()).filter(([name, age]) => age > (name === 'storage' ? 90 : 20));

type Work = { job: string; mails: number; file: string };

/** Something to do for each loop. */
async function begin(): Promise<Work> {
  const mails = mailbox.emails.length;
  const file = await newFile(studio.service, studio.key, blackPng(10, 10), { content_type: 'image/png' });
  return { job: await order(), mails, file: file.id };
}

/** The other process takes a job, and a wish for a mail. */
async function order(): Promise<string> {
  await post(other, null, '/api/auth/request-password-reset', { email: studio.ada.email });
  return newJob(other, studio.key);
}

async function expectDone({ job, mails, file }: Work): Promise<void> {
  const poster = async () =>
    (await studio.service.call('GET', `/api/v1/files/${file}`, { as: studio.key })).body.file?.poster_status;
  await expect.poll(() => mailbox.emails.length, soon).toBeGreaterThan(mails);
  await expect.poll(() => receiver.received.map(({ event }) => event.job?.id), soon).toContain(job);
  await expect.poll(() => streamed, soon).toContain(job);
  await expect.poll(poster, soon).toBe('made');
  await expectCatalogFollowed();
  await expectKeyEnded();
  await expect.poll(late, soon).toEqual([]);
  await expect.poll(async () => Object.keys(await ages()).toSorted(), soon).toEqual(names);
}

let published = 0;
async function expectCatalogFollowed(): Promise<void> {
  const name = `Design ${++published}`;
  expect((await publish({ ...studio, service: other }, named(name))).status).toBe(201);
  await expect.poll(() => firstName(studio.service), soon).toBe(name);
}

async function expectKeyEnded(): Promise<void> {
  const key = await makeKey(other, studio.ada);
  const { body } = await other.call('GET', '/api/v1/api-keys', { as: studio.ada.token });
  const own = await followEvents(studio.service, key);
  const { id } = body.api_keys.find(({ prefix }: { prefix: string }) => key.includes(prefix));
  expect((await other.call('DELETE', `/api/v1/api-keys/${id}`, { as: studio.ada.token })).status).toBe(200);
  while ((await own.next()) !== null);
}

test('each loop has an age, in /readyz?verbose, too, and works', async () => {
  await expectDone(await begin());
  const { body } = await studio.service.call('GET', '/readyz?verbose');
  if (body.error === undefined) expect(body.loops.map(({ name }: { name: string }) => name).toSorted()).toEqual(names);
});

test.each(['once', 'twice'])(
  'the database was away %s: each loop goes on, and the stream stays open',
  async (times) => {
    const work = await begin();
    for (let n = 0; n < (times === 'once' ? 1 : 2); n++) {
      await takeDatabaseAway();
      await wait(4_000);
      await giveDatabaseBack();
      await untilAnswering();
      await skipPauses();
    }
    await expectDone(work);
    await expectDone(await begin());
    expect(streamed).not.toContain('bye');
    expect(watches).toBe(1);
  },
);

test.each(['once', 'twice'])('mail server, receiver and storage were away %s: each loop goes on', async (times) => {
  const file = await newFile(studio.service, studio.key, blackPng(10, 10), { content_type: 'image/png' });
  for (let n = 0; n < (times === 'once' ? 1 : 2); n++) {
    const { port } = mailbox;
    await mailbox.close();
    await storage.down();
    receiver.answer((_, response) => response.destroy());
    const job = await order();
    await skipPauses();
    await wait(4_000);
    await storage.up();
    receiver.answer((_, response) => response.writeHead(204).end());
    mailbox = await openMailbox(port);
    await skipPauses();
    await expectDone({ job, mails: 0, file: file.id });
  }
  await expectDone(await begin());
});

test('the database goes away while a process stops: it ends, and another one does what it left', async () => {
  const third = await createService(
    { LOG_LEVEL: 'silent', SMTP_URL: mailbox.url, WEBHOOK_ALLOW: '127.0.0.1', ...storage.env },
    { databaseUrl: studio.service.databaseUrl },
  );
  const own = [startScheduledTasks(third.context, studio.service.databaseUrl), new DeliveryEngine(third.context)];
  third.context.mailSender.start();
  const work = await begin();
  const stopping = Promise.all([...own.map((loop) => loop.stop()), third.close()]);
  await takeDatabaseAway();
  const ended = await Promise.race([stopping.then(() => 'ended'), wait(60_000, 'hangs', { ref: false })]);
  expect(ended).toBe('ended');
  await giveDatabaseBack();
  await untilAnswering();
  await skipPauses();
  await expectDone(work);
});
