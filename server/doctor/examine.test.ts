import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openTestStorage } from '../../test/support/files.ts';
import { environment, type Service } from '../../test/support/harness.ts';
import { createStudio, newJob, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { startQueue } from '../db/queue.ts';
import { createStorage } from '../files/create-storage.ts';
import { claimStorage } from '../files/installation.ts';
import { createSigner } from '../lib/signer.ts';
import { createMailbox } from '../mail/mailbox.ts';
import { createTransport } from '../mail/transport.ts';
import { readConfig } from '../start/config.ts';
import { checkClock } from './check-clock.ts';
import { checkCors } from './check-cors.ts';
import { checkDisks } from './check-machine.ts';
import { checkMailServer } from './check-mail-server.ts';
import { checkPages } from './check-pages.ts';
import { checkProvider, checkProviderEvents, checkWebhookSecret } from './check-provider.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkConnections, checkProcesses, checkServer } from './check-server.ts';
import { judgeStandby } from './check-standby.ts';
import { checkTasks } from './check-tasks.ts';
import { examineDatabase, examineSurroundings, type Installation } from './examine.ts';
import { reasonWithout } from './reason.ts';
import { runChecks } from './run-checks.ts';

const reason = reasonWithout({});
const publicUrl = 'http://localhost:3000';

let folder: string;
let studio: Studio;
let service: Service;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-doctor-'));
  studio = await createStudio();
  service = studio.service;
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

function installation(env: Record<string, string> = {}): Installation {
  const variables = { ...environment, DATA_DIR: folder, DATABASE_URL: service.databaseUrl, ...env };
  return { config: readConfig(variables), variables, publicUrl, pagesDir: folder, mailTo: null };
}

const run = (statement: string) => sql.raw(statement).execute(service.context.db);

async function newEndpoint(): Promise<void> {
  const body = { url: 'https://example.com/hook' };
  const { status } = await service.call('POST', '/api/v1/webhook-endpoints', { as: studio.ada.token, body });
  expect(status).toBe(201);
}

async function asSuperuser(statement: string): Promise<void> {
  const url = new URL(service.databaseUrl);
  url.username = 'postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The line of a check, as words. */
async function line(check: string, env: Record<string, string> = {}, url = service.databaseUrl): Promise<string> {
  const lines = await examineDatabase(installation(env), url);
  return lines
    .filter((each) => each.check === check)
    .map(({ status, sentence, action }) => `${status}: ${sentence} → ${action ?? 'nothing'}`)
    .join('\n');
}

describe('data', () => {
  test('a pending migration, and then no data is examined', async () => {
    await run(`delete from kysely_migration where name like '0028%'`);
    expect(await line('migrations')).toMatch(/^fail: 1 of \d+ migrations are pending, from 0028.*admin -- migrate$/);
    expect(await line('jobs')).toBe('');
  });

  test('a newer schema', async () => {
    await run(`insert into kysely_migration (name, timestamp) values ('9999_future', '')`);
    expect(await line('migrations')).toMatch(
      /^fail: A newer version has migrated the database: 9999_future\. → Run that/,
    );
  });

  test('a migration with another text than the one that ran', async () => {
    await run(`update migration_checksums set sha256 = repeat('0', 64) where name like '0028%'`);
    expect(await line('migrations')).toMatch(
      /^fail: Migrations have another text than the one that made this database: 0028_\w+\. → Restore the files of the release/,
    );
  });

  test('a parked job', async () => {
    expect(await line('jobs')).toBe('ok: No job is parked. → nothing');
    const id = uuidOf('job', await newJob(service, studio.key));
    await run(`update jobs set lease_expiries = 5 where id = '${id}'`);
    expect(await line('jobs')).toMatch(/^warn: 1 job is parked: no worker gets them any more\. → Look why/);
  });

  test('mails that nobody sends, and mails that fail', async () => {
    const mail = (due: string, attempts: number) =>
      run(`insert into mails (kind, address, due_at, attempts, expires_at)
        values ('verify_email', 'a@example.com', now() ${due}, ${attempts}, now() + interval '1 day')`);
    await mail(`- interval '1 hour'`, 0);
    await mail(`+ interval '1 hour'`, 4);
    expect(await line('mails')).toMatch(
      /^fail: 1 mail should have been sent.*\nwarn: 1 mail could not be sent in three/,
    );
  });

  test('a disabled endpoint, and a delivery that nobody sends', async () => {
    await newEndpoint();
    await run(`insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, due_at)
      select account_id, id, 1, uuidv7(), 'job.created', now() - interval '1 hour' from webhook_endpoints`);
    expect(await line('webhook deliveries')).toMatch(/^fail: 1 webhook delivery should have been sent more than/);
    await run(`update webhook_endpoints set disabled_reason = 'failing'`);
    expect(await line('webhook endpoints')).toMatch(/^warn: 0 webhook endpoints of customers fail now, and 1 are dis/);
    expect(await line('webhook deliveries')).toMatch(/^ok/);
  });

  test('a task that is late, and one that ended with an error', async () => {
    expect(await line('tasks')).toMatch(/^warn: No process has run scheduled tasks so far\. → Start the service/);
    const queue = startQueue(
      service.databaseUrl,
      { never: { everySeconds: 3600, run: async () => {} } },
      service.context.log,
    );
    await expect.poll(async () => (await checkTasks(service.context.db, 'public')).status).toBe('ok');
    await queue.stop();
    await run(`select graphile_worker.add_job('late', run_at => now() - interval '1 hour')`);
    expect(await line('tasks')).toMatch(/^fail: Scheduled tasks are late, late by 3600 s\. → Start the service/);
    await run(`update graphile_worker._private_jobs set last_error = 'broken', attempts = max_attempts`);
    expect(await line('tasks')).toMatch(/^warn: Scheduled tasks ended with an error: .*late/);
  });

  test('a ciphertext under the second key, and under none', async () => {
    await newEndpoint();
    const { db } = service.context;
    const [old, other] = [environment.SECRET_KEY, 'another-secret-key-of-32-characters'];
    expect((await checkSecrets(db, [old])).status).toBe('ok');
    expect(await checkSecrets(db, [other, old])).toMatchObject({
      status: 'warn',
      sentence: expect.stringContaining('still needed for 1 webhook secrets') as string,
      action: 'Keep both keys until none is left: npm run admin -- secrets status',
    });
    expect((await checkSecrets(db, [other])).status).toBe('fail');
  });

  test('no owner, and an owner without the second factor that is required', async () => {
    expect(await line('owners')).toMatch(/^ok: The studio has an owner/);
    expect(await line('owners', { OPERATOR_SECOND_FACTOR: 'required' })).toMatch(/^warn: 1 of 1 owners have no second/);
    await run(`update people set operator_role = null`);
    expect(await line('owners')).toMatch(/^fail: The studio has no owner.*operator create --email … --name …$/);
  });

  test('a storage of another database, and objects without a row', async () => {
    const { storage, db } = service.context;
    const env = {
      STORAGE_URL: `file:${'folder' in service.context.config.storage ? service.context.config.storage.folder : ''}`,
    };
    await claimStorage({ db, storage });
    expect(await line('files', env)).toMatch(/^ok: The files of the storage belong.*\nok: 0 objects of 0/);
    const key = 'files/0190d3b2-0000-7000-8000-000000000000.pdf';
    await storage.write(key, { contentType: 'application/pdf', bytes: Buffer.from('x') });
    const past = new Date(Date.now() - 72 * 3_600_000);
    await utimes(join(env.STORAGE_URL.slice('file:'.length), key), past, past);
    expect(await line('files', env)).toMatch(/\nwarn: 1 object of 1 that are older.*wrong DATABASE_URL.*--dry-run$/);
    await storage.writeOwner('somebody else', { replace: true });
    expect(await line('files', env)).toMatch(/^fail: The storage is used by somebody.*storage adopt$/);
  });

  test('an ignored event of the provider', async () => {
    await run(`insert into provider_events (id, type, outcome, reason, livemode, payload, created_at)
      values ('evt_1', 'invoice.paid', 'ignored', 'wrong amount', false, '{}', now())`);
    expect(await checkProviderEvents(service.context.db)).toMatchObject({ status: 'warn' });
  });

  test('prices that were never verified, and a provider in test mode', async () => {
    await run('delete from plan_prices');
    expect(await line('prices')).toMatch(/^fail: Checkout is closed: the service has not verified the prices of solo/);
    expect((await checkProvider(service.context, true)).sentence).toContain('test mode');
    const live = { ...service.context.provider, name: 'stripe_live' as const };
    const secret = await checkWebhookSecret(live, { publicUrl, hasSecret: false });
    expect([secret.status, secret.action?.includes('/api/stripe/webhook')]).toEqual(['fail', true]);
  });
});

describe('Postgres', () => {
  test('a role without rights: the statement that gives them, and each check that it stops has a line', async () => {
    const name = `poor_${Date.now()}`;
    await asSuperuser(`create role ${name} login`);
    const url = new URL(service.databaseUrl);
    url.username = name;
    url.password = '';
    const lines = await examineDatabase(installation(), url.href);
    const words = lines.map(({ status, sentence, action }) => `${status} ${sentence} ${action ?? ''}`).join('\n');
    expect(words).toMatch(/^fail The role may not create schemas\. Run as a superuser: grant create on database/);
    expect(words).toContain(
      'fail The check failed: permission denied for table kysely_migration. Check the rights of the role',
    );
    expect(words).not.toMatch(/\n {4}at /);
  });

  test('a pool that does not fit, also for a process more', async () => {
    const { db } = service.context;
    const config = (pool: string) => installation({ DATABASE_POOL: pool }).config;
    expect((await checkConnections(db, config('10'))).status).toBe('ok');
    expect(await checkConnections(db, config('150'))).toMatchObject({
      status: 'warn',
      action: expect.stringContaining('alter system set max_connections = ') as string,
    });
    expect((await checkConnections(db, config('200'))).status).toBe('fail');
    expect((await checkServer(service.databaseUrl, config('200'))).map(({ status }) => status)).toEqual(['fail']);
  });

  test('another process with another key, and several without Redis', async () => {
    const { db, signer } = service.context;
    const { config } = installation();
    const open = async (tag: string) => {
      const client = new pg.Client({
        connectionString: service.databaseUrl,
        application_name: `atelier ${tag} ${tag}`,
      });
      onTestFinished(() => client.end());
      await client.connect();
    };
    expect((await checkProcesses(db, config, signer)).sentence).toBe('No process of the service runs.');
    await open(signer.fingerprints[0] ?? '');
    expect((await checkProcesses(db, config, signer)).status).toBe('ok');
    await open('strange');
    expect((await checkProcesses(db, config, signer)).sentence).toContain('1 of 2 processes have another SECRET_KEY');
    const both = { ...signer, fingerprints: [...signer.fingerprints, 'strange'] };
    expect(await checkProcesses(db, config, both)).toMatchObject({
      status: 'warn',
      action: expect.stringContaining('REDIS_URL') as string,
    });
  });

  test.each([
    [{}, 'ok'],
    [{ names: 'a', confirming: 1 }, 'ok'],
    [{ names: 'a', confirming: 1, waiting: 2 }, 'fail'],
    [{ names: 'a' }, 'fail'],
    [{ names: 'a', hidden: 1 }, 'warn'],
    [{ names: 'a', commit: 'local' }, 'warn'],
  ])('a standby: %j is %s', (seen, status) => {
    const none = { names: '', commit: 'on', confirming: 0, hidden: 0, waiting: 0, role: 'atelier' };
    expect(judgeStandby({ ...none, ...seen }).status).toBe(status);
  });

  test('a clock that is ahead or behind', async () => {
    const { db } = service.context;
    expect((await checkClock(db)).status).toBe('ok');
    const ahead = await checkClock(db, () => Date.now() + 5_000);
    expect([ahead.status, ahead.sentence]).toEqual([
      'warn',
      expect.stringMatching(/4\.\d s ahead of|5\.\d s ahead of/),
    ]);
    expect((await checkClock(db, () => Date.now() - 5_000)).sentence).toContain('behind the database');
  });
});

describe('surroundings', () => {
  const bucket = async (env: Record<string, string>) =>
    (await examineSurroundings(installation(env))).filter(({ check }) => check.startsWith('storage'));

  test('wrong S3 credentials, then CORS rules that are missing and set', async () => {
    const s3 = await openTestStorage('s3');
    onTestFinished(() => s3.close());
    expect((await bucket(s3.env)).map(({ check, status }) => [check, status])).toEqual([
      ['storage', 'ok'],
      ['storage from pages', 'fail'],
    ]);
    expect(await s3.keys(), 'nothing is left').toEqual([]);
    const endpoint = /endpoint=([^&]+)/.exec(s3.env['STORAGE_URL'] ?? '')?.[1] ?? '';
    const client = new S3Client({ endpoint, forcePathStyle: true, region: 'eu-central-1' });
    const rule = { AllowedOrigins: [publicUrl], AllowedMethods: ['PUT'], AllowedHeaders: ['*'] };
    await client.send(new PutBucketCorsCommand({ Bucket: 'atelier', CORSConfiguration: { CORSRules: [rule] } }));
    expect((await bucket(s3.env)).map(({ status }) => status)).toEqual(['ok', 'ok']);
    const { config } = installation(s3.env);
    const elsewhere = createStorage(config.storage, createSigner(config.secretKeys), publicUrl);
    expect((await checkCors(elsewhere, 'https://elsewhere.example')).action).toContain(
      'origin https://elsewhere.example',
    );
    process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong';
    onTestFinished(() => void (process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER'));
    const [wrong] = await bucket(s3.env);
    expect([wrong?.status, wrong?.sentence]).toEqual(['fail', expect.stringMatching(/signature/i)]);
  });

  test('a disk that is low or full, and a folder that is missing', async () => {
    const free = (bavail: number) => async () => ({ bavail, blocks: 100 });
    expect((await checkDisks([folder], free(50))).map(({ status }) => status)).toEqual(['ok']);
    expect((await checkDisks([folder], free(9))).map(({ status }) => status)).toEqual(['warn']);
    expect((await checkDisks([folder], free(1))).map(({ status }) => status)).toEqual(['fail']);
    expect((await checkDisks([join(folder, 'away')], free(50)))[0]?.sentence).toContain('does not exist');
    expect((await checkPages(folder)).action).toBe('Run: npm run build');
  });

  const transport = (smtpUrl: string) =>
    createTransport({ smtpUrl, from: 'a@example.com', publicUrl }, createMailbox(folder));

  test('a mail server without TLS on another machine, a wrong password, and a closed port', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('no')),
    });
    server.on('error', () => {});
    server.listen(0);
    await once(server.server, 'listening');
    const { port } = server.server.address() as AddressInfo;
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const check = (url: string) =>
      runChecks(
        [{ check: 'mail', run: () => checkMailServer(transport(url), url), unless: 'Check SMTP_URL.' }],
        reason,
      );
    expect((await check(`smtp://127.0.0.1:${port}`))[0]?.status).toBe('ok');
    expect((await check(`smtp://0.0.0.0:${port}`))[0]).toMatchObject({
      status: 'warn',
      action: expect.stringContaining('smtps') as string,
    });
    expect((await check(`smtp://me:wrong@127.0.0.1:${port}`))[0]).toMatchObject({
      status: 'fail',
      sentence: expect.stringMatching(/login/i) as string,
    });
    expect((await check('smtp://127.0.0.1:1'))[0]).toMatchObject({
      status: 'fail',
      sentence: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  test('a public address: ours, another key, another site, nobody', async () => {
    const { signer } = service.context;
    expect((await checkPublicUrl(service.url, signer, reason)).status).toBe('ok');
    const other = await checkPublicUrl(service.url, createSigner(['another-secret-key-of-32-characters']), reason);
    expect([other.status, other.sentence]).toEqual(['fail', expect.stringContaining('another SECRET_KEY')]);
    const site = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    onTestFinished(() => void site.close());
    await once(site, 'listening');
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    expect((await checkPublicUrl(address, signer, reason)).status).toBe('fail');
    expect((await checkPublicUrl('http://127.0.0.1:1', signer, reason)).status).toBe('warn');
  });
});

test('a check that throws or hangs is a line of its own, and the next one runs', async () => {
  const lines = await runChecks(
    [
      { check: 'a', run: () => Promise.reject(new Error('it broke\n    at x.ts:1')), unless: 'Mend it.' },
      { check: 'b', run: () => new Promise(() => {}), unless: 'Wait.' },
      { check: 'c', run: async () => [], unless: '' },
    ],
    reason,
    50,
  );
  expect(lines).toEqual([
    { check: 'a', status: 'fail', sentence: 'The check failed: it broke at x.ts:1.', action: 'Mend it.' },
    { check: 'b', status: 'fail', sentence: 'The check failed: it took longer than 0.05 s.', action: 'Wait.' },
  ]);
});
