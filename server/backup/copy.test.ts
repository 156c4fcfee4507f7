import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../cli/run.ts';
import { copyCluster, placeCluster } from '../embedded-postgres/copy-cluster.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { scheduledTasks, startScheduledTasks } from '../scheduled-tasks.ts';
import { isForeign } from '../files/guard-storage.ts';
import { claimStorage } from '../files/installation.ts';
import { DeliveryEngine } from '../webhooks/delivery-engine.ts';
import { type Mailbox, openMailbox } from '../../test/faults/mailbox.ts';
import { openFolder, removeFolder } from '../../test/faults/process.ts';
import { runToEnd } from '../../test/support/command-line.ts';
import { bytesOf, download, newFile, presign, put, someBytes } from '../../test/support/files.ts';
import { createService, environment, type Service } from '../../test/support/harness.ts';
import { openSession, say } from '../../test/support/intake.ts';
import { createStudio, makeMoves, newJob, newJobIn, post, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { signUpUnverified } from '../../test/support/people.ts';
import { createReceiver, type Receiver } from '../../test/support/receiver.ts';

/** One installation: in use, then with OUTBOUND=off, then in use again, at one storage and mail server. */
let mailbox: Mailbox;
let receiver: Receiver;
let folder: string;
let env: Record<string, string>;
let studio: Studio;
let ends: (() => Promise<unknown>)[];
const signal = new AbortController().signal;

beforeEach(async () => {
  mailbox = await openMailbox();
  receiver = await createReceiver();
  folder = await mkdtemp(join(tmpdir(), 'atelier-copy-'));
  env = {
    SMTP_URL: mailbox.url,
    STORAGE_URL: `file:${join(folder, 'files')}`,
    WEBHOOK_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'fatal',
  };
  studio = await createStudio(env);
  await studio.service.context.mailSender.idle();
  mailbox.emails.length = 0; // of the studio's plan
  ends = [() => mailbox.close(), () => receiver.close(), () => rm(folder, { recursive: true, force: true })];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Serves the installation of the studio anew, with deliveries. */
async function serve(more: Record<string, string> = {}): Promise<Studio & { engine: DeliveryEngine }> {
  const service = await createService({ ...env, ...more }, { databaseUrl: studio.service.databaseUrl });
  const engine = new DeliveryEngine(service.context);
  ends.push(
    () => service.close(),
    () => engine.stop(),
  );
  return { ...studio, service, engine };
}
const close = () => studio.service.close();
/** Ends what `serve` opened last. */
async function end(): Promise<void> {
  for (let count = 0; count < 2; count += 1) await ends.pop()?.();
}

const sendMails = async ({ context: { mailSender } }: Service) => {
  mailSender.wake();
  await mailSender.idle();
};
const count = async ({ context: { db } }: Service, rows: string) =>
  Number((await sql.raw<{ count: string }>(`select count(*) from ${rows}`).execute(db)).rows[0]?.count);
const hook = async ({ service, ada }: Studio) =>
  post(service, ada.token, '/api/v1/webhook-endpoints', { url: receiver.url });

/** Every file with its bytes and the time of its last change. */
async function everything(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, 'base64')])));
}

test('OUTBOUND=off drops mails and webhooks, and they do not go out once it is left out again', async () => {
  expect((await hook(studio)).status).toBe(201);
  await newJob(studio.service, studio.key); // waits for its endpoint
  await studio.service.context.mailSender.stop();
  await signUpUnverified(studio.service); // waits in the outbox
  expect(await count(studio.service, 'mails')).toBe(1);
  await close();

  const off = await serve({ OUTBOUND: 'off' });
  await sendMails(off.service);
  await signUpUnverified(off.service);
  const id = await newJob(off.service, off.key);
  await makeMoves(off, id, 'accept', 'start');
  await sql`insert into mails (kind, user_id, expires_at, due_at)
    values ('verify_email', ${off.ada.userId}, now() + interval '1 day', now() + interval '1 hour')`.execute(
    off.service.context.db,
  );
  await sendMails(off.service);
  expect(await count(off.service, 'mails')).toBe(0);
  await vi.waitFor(async () => {
    expect(await count(off.service, `webhook_deliveries where outcome = 'dead'`)).toBeGreaterThan(2);
    expect(await count(off.service, 'webhook_deliveries where done_at is null')).toBe(0);
  }, 10_000);
  const refused = await hook(off);
  expect([refused.status, refused.body.error.message]).toEqual([
    422,
    'The URL is not reached, because this is a copy.',
  ]);
  expect(await count(off.service, 'webhook_endpoints where failing_since is not null')).toBe(0);
  const metrics = (await off.service.call('GET', '/metrics')).body as string;
  expect(metrics).toContain('atelier_outbound_off 1');
  expect(metrics).toContain('atelier_loop_age_seconds{loop="mails"}');
  expect(metrics).toMatch(/atelier_mails_total\{outcome="dropped"\} [1-9]/);
  expect(metrics).toMatch(/atelier_webhook_attempts_total\{outcome="dropped"\} [1-9]/);
  // What a killed process leaves: a mail, a delivery and an event that nothing has looked at.
  await off.engine.stop();
  await off.service.context.mailSender.stop();
  await signUpUnverified(off.service);
  await sql`update webhook_deliveries set outcome = null, done_at = null`.execute(off.service.context.db);
  await newJob(off.service, off.key);
  await sql`update notifications set daily = true`.execute(off.service.context.db);
  await end();

  const on = await serve();
  expect(await count(on.service, 'mails')).toBe(0);
  expect(await count(on.service, 'notifications where daily')).toBe(0);
  await sendMails(on.service);
  await wait(1_000);
  expect([mailbox.emails, receiver.received]).toEqual([[], []]);
  await signUpUnverified(on.service);
  await newJob(on.service, on.key);
  await vi.waitFor(() => expect([mailbox.emails.length, receiver.received.length]).toEqual([1, 1]), 10_000);
  expect((await on.service.call('GET', '/metrics')).body).toContain('atelier_outbound_off 0');
});

test('OUTBOUND=off: nothing is approved automatically, changed at the provider or read by a model, and all say so', async () => {
  const asked: string[] = [];
  const model = createServer((request, response) => void (asked.push(request.url ?? ''), response.end('{}')));
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  ends.push(async () => model.close());
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await sql`update jobs set review_due_at = now() - interval '1 minute' where id = ${uuidOf('job', id)}`.execute(
    studio.service.context.db,
  );
  await studio.service.context.mailSender.idle();
  await close();
  mailbox.emails.length = 0;

  const address = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;
  const off = await serve({ OUTBOUND: 'off', INTAKE_MODEL_URL: address, INTAKE_MODEL: 'm' });
  const { service, ada } = off;
  const { provider } = service.context;
  const tasks = startScheduledTasks(service.context, service.databaseUrl);
  const ran = (since: string) =>
    count(service, `task_runs where task = 'autoApproveJobs' and succeeded_at > now() - interval '${since}'`);
  await vi.waitFor(async () => expect(await ran('1 hour'), 'a new task has a row').toBe(1), 20_000);
  await sql`update task_runs set due_at = now(), succeeded_at = now() - interval '1 hour'`.execute(service.context.db);
  await vi.waitFor(async () => expect(await ran('1 minute')).toBe(1), 20_000);
  await tasks.stop();
  const job = await service.call('GET', `/api/v1/jobs/${id}`, { as: off.key });
  expect(job.body.job.status).toBe('ready_for_customer_review');

  await sql`update entitlements set status = 'canceled'`.execute(service.context.db);
  for (const [path, body] of [
    ['/api/checkout/tier', { plan_code: 'agent' }],
    ['/api/checkout/portal', undefined],
  ] as const) {
    const answer = await post(service, ada.token, path, body);
    expect([answer.status, answer.body.error.code, answer.body.error.message], path).toEqual([
      503,
      'checkout_unavailable',
      'This is a copy: it changes nothing at the payment provider.',
    ]);
  }
  await expect(provider.endCheckout('cs_1')).rejects.toThrow('This is a copy');
  expect((await service.call('GET', '/api/v1/plans')).body.plans.length).toBeGreaterThan(0);
  await sql`update entitlements set status = 'active'`.execute(service.context.db);

  const { id: talk } = await openSession(service, off.key);
  await say(service, off.key, talk, 'A round sign for the bakery, please.');
  expect(asked).toEqual([]);
  // By these rules the metadata documents of apps are read, too.
  expect(service.context.receivers.fault('https://example.com/app.json')).toContain('this is a copy');

  expect((await service.call('GET', '/api/v1/installation')).body.installation.mailbox).toBeNull();
  const page = await fetch(`${service.url}/no-such-page`, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('<p class="copy">This is a copy. It sends no mails');
  const settings = { ...environment, ...env, DATA_DIR: folder, DATABASE_URL: service.databaseUrl };
  const doctor = await runToEnd(run, ['doctor', '--json', '--mail-to', 'me@example.com'], { env: settings });
  const { lines } = JSON.parse(doctor.out).doctor as { lines: { check: string; status: string; sentence: string }[] };
  expect(lines.filter(({ check }) => check === 'copy')).toMatchObject([
    { status: 'warn', sentence: expect.stringMatching(/^This is a copy\./) },
  ]);
  expect(lines.filter(({ check }) => ['storage', 'mail server', 'test mail'].includes(check))).toEqual([]);
  expect(mailbox.emails).toEqual([]);
});

test('a copy that shares the storage of the original changes nothing in it', async () => {
  const { context } = studio.service;
  expect(await claimStorage(context)).toBeNull();
  const kept = await newFile(studio.service, studio.key, someBytes());
  const old = await newFile(studio.service, studio.key, someBytes());
  const begun = (await presign(studio.service, studio.key, someBytes(4))).body.upload;
  const original = await everything(join(folder, 'files'));

  // Its database has another id, as one that was restored has.
  const made = await createStudio(env);
  await made.service.close();
  const { databaseUrl } = made.service;
  const copy = { ...made, service: await createService({ ...env, OUTBOUND: 'off' }, { databaseUrl }) };
  ends.push(close, () => copy.service.close());
  const words = 'the file storage belongs to another installation: nothing is written there.';
  const upload = await presign(copy.service, copy.key, someBytes());
  expect([upload.status, upload.body.error?.code]).toEqual([503, 'service_unavailable']);
  expect(upload.body.error.message).toContain(words);
  expect(upload.body.error.action).toContain('delete the object atelier-installation there');
  await claimStorage(copy.service.context, { renew: true });
  // The rows of the original, as a copy has them.
  const rows = await context.db.selectFrom('files').selectAll().execute();
  for (const row of rows)
    await copy.service.context.db
      .insertInto('files')
      .values({ ...row, account_id: copy.ada.accountId, job_id: null })
      .execute();
  const sent = await put(copy.service, begun, someBytes(4));
  expect([sent.status, sent.text]).toEqual([503, expect.stringContaining(words)]);
  const removed = await copy.service.call('DELETE', `/api/v1/files/${old.id}`, { as: copy.key });
  expect(removed.status).toBeLessThan(300);
  await sql`update files set uploaded_at = now() - interval '10 years' where status = 'uploaded'`.execute(
    copy.service.context.db,
  );
  await sql`update files set poster_status = 'pending', poster_due_at = now(), poster_attempts = 0
    where status = 'uploaded'`.execute(copy.service.context.db);
  for (const name of ['makePosters', 'deleteExpiredFiles', 'sweepStorage'])
    await scheduledTasks[name]!.run(copy.service.context, signal);
  const settings = { ...environment, ...env, DATA_DIR: folder, DATABASE_URL: copy.service.databaseUrl };
  for (const command of ['adopt', 'sweep']) {
    const { code, err } = await runToEnd(run, ['storage', command], { env: settings });
    expect([code, err], command).toEqual([1, expect.stringMatching(/belongs to another|is used by/)]);
  }
  expect(await everything(join(folder, 'files'))).toEqual(original);
  expect((await bytesOf(await download(studio.service, studio.key, kept.id))).length).toBe(2_000);
  // As the action says, if the storage is the copy's own and that of the original was copied into it.
  await rm(join(folder, 'files/atelier-installation'));
  expect((await runToEnd(run, ['storage', 'adopt'], { env: settings })).code).toBe(0);
  expect((await presign(copy.service, copy.key, someBytes())).status).toBe(201);
});

test('OUTBOUND=off is neither set nor left while other processes serve the database; it drops in batches', async () => {
  await hook(studio);
  await studio.service.context.mailSender.stop();
  await signUpUnverified(studio.service);
  await close();
  const { databaseUrl } = studio.service;
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  ends.push(() => other.end());
  const become = (name: string) => other.query(`set application_name = '${name}'`);
  const ofService = `atelier ${'0'.repeat(32)} tag`;
  const state = async () => (await other.query('select outbound_off from installation')).rows;
  await become(ofService);
  await expect(serve({ OUTBOUND: 'off' })).rejects.toMatchObject({
    message: 'Other processes serve this database without OUTBOUND=off.',
    action: expect.stringContaining('Stop every process first'),
  });
  expect((await other.query('select from mails')).rowCount).toBe(1);
  await become('psql');
  await other.query(`
    insert into mails (kind, user_id, expires_at)
    select 'verify_email', '${studio.ada.userId}', now() + interval '1 day' from generate_series(1, 4500);
    create function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from changed) > 2000 then raise 'too many rows for one statement'; end if;
      return null;
    end $$;
    create trigger refuse_many after delete on mails referencing old table as changed
      for each statement execute function refuse_many();
    create trigger refuse_many after update on webhook_deliveries referencing new table as changed
      for each statement execute function refuse_many()`);
  const off = await serve({ OUTBOUND: 'off' });
  await sendMails(off.service);
  expect(await count(off.service, 'mails')).toBe(0);
  await end();

  await other.query(`
    insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type)
    select account_id, id, n, uuidv7(), 'job.created' from webhook_endpoints, generate_series(1, 4500) n`);
  await become(ofService);
  await expect(serve()).rejects.toThrow('Other processes serve this database with OUTBOUND=off.');
  expect(await state()).toEqual([{ outbound_off: 'setting' }]);
  await become('psql');
  await serve();
  expect(await state()).toEqual([{ outbound_off: null }]);
  expect((await other.query('select from webhook_deliveries where done_at is null')).rowCount).toBe(0);
});

// What was copied as a disk has the id of its original, as this database has.
test('OUTBOUND=off on a copied disk: in the storage of the original nothing is renewed, swept, deleted or adopted', async () => {
  const { context } = studio.service;
  expect(await claimStorage(context)).toBeNull();
  const old = await newFile(studio.service, studio.key, someBytes());
  const trash = join(folder, 'files/trash/2026-01-01/files');
  await mkdir(trash, { recursive: true });
  await writeFile(join(trash, `${randomUUID()}.png`), 'swept');
  const original = await everything(join(folder, 'files'));
  await close();
  const settings = { ...environment, ...env, DATA_DIR: folder, DATABASE_URL: studio.service.databaseUrl };
  const refused = async (words: string[], more: Record<string, string> = {}) => {
    const { code, err } = await runToEnd(run, ['storage', ...words], { env: { ...settings, ...more } });
    expect([code, err], words.join(' ')).toEqual([1, expect.stringMatching(/be (that|those) of the original/)]);
  };
  // Before the first start only the setting says it.
  await refused(['adopt'], { OUTBOUND: 'off' });

  const off = await serve({ OUTBOUND: 'off' });
  await claimStorage(off.service.context, { renew: true });
  const removed = await off.service.call('DELETE', `/api/v1/files/${old.id}`, { as: off.key });
  expect(removed.status).toBeLessThan(300);
  await scheduledTasks['sweepStorage']!.run(off.service.context, signal);
  for (const words of [['adopt'], ['sweep'], ['sweep', '--restore']]) await refused(words);
  expect(await everything(join(folder, 'files'))).toEqual(original);
  await newFile(off.service, off.key, someBytes());
  await end();

  const on = await serve();
  expect(await claimStorage(on.service.context, { renew: true })).toBeNull();
  expect(await isForeign(on.service.context)).toBe(false);
});

test('an embedded cluster that was placed is neither served nor migrated before its restore has ended', async () => {
  const [from, to] = [await openFolder(), await openFolder()];
  ends.push(
    () => removeFolder(from),
    () => removeFolder(to),
  );
  const original = await startEmbeddedPostgres(from, () => {});
  const files = new Map<string, Buffer>();
  const { folders } = await copyCluster(from, async (name, bytes) => void files.set(name, await buffer(bytes)));
  await original.stop();
  const read = async (name: string) => Readable.from([files.get(name) ?? Buffer.alloc(0)]);
  await placeCluster(to, { folders, files: [...files.keys()], read }, () => {});
  for (let start = 0; start < 2; start += 1) {
    const { code, err } = await runToEnd(run, ['migrate'], { env: { ...environment, DATA_DIR: to } });
    expect([code, err]).toEqual([1, expect.stringContaining('A restore did not end here: empty the database')]);
  }
});
