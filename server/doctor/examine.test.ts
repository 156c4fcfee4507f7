import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { chown, mkdir, mkdtemp, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { certificateKey, certificates } from '../../test/support/certificates.ts';
import { openSmallDisk } from '../../test/faults/small-disk.ts';
import { openTestStorage } from '../../test/support/files.ts';
import { hasProof } from '../../test/support/proof.ts';
import { environment, type Service } from '../../test/support/harness.ts';
import { createStudio, newJob, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { migrate } from '../db/migrate.ts';
import { createDb, urlOfSchema } from '../db/pool.ts';
import { startQueue } from '../db/queue.ts';
import { createStorage } from '../files/create-storage.ts';
import { claimStorage } from '../files/installation.ts';
import { createSigner } from '../lib/signer.ts';
import { createMailbox } from '../mail/mailbox.ts';
import { createTransport } from '../mail/transport.ts';
import { readConfig } from '../start/config.ts';
import { checkCallers } from './check-callers.ts';
import { checkClock, checkConnections, checkProcesses, checkServer, judgeStandby } from './check-server.ts';
import { checkCors } from './check-storage.ts';
import { checkDisks, checkPages } from './check-machine.ts';
import { checkMailServer } from './check-mail-server.ts';
import { checkProvider, checkWebhookSecret } from './check-provider.ts';
import { checkPublicUrl } from './check-public-url.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkTasks } from './check-state.ts';
import { examineDatabase, examinePublicAddress, examineSurroundings, type Installation } from './examine.ts';
import { reasonWithout } from './reason.ts';
import { runChecks } from './run-checks.ts';

const reason = reasonWithout({});
const publicUrl = 'http://localhost:3000';

let folder: string;
let studio: Studio;
let service: Service;
// Of its own: it examines the whole installation, and breaks it.
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
  return {
    config: readConfig(variables),
    variables,
    publicUrl,
    pagesDir: folder,
    builtPages: 'current',
    mailTo: null,
    isCopy: false,
    isService: false,
  };
}

const run = (statement: string) => sql.raw(statement).execute(service.context.db);

async function newEndpoint(): Promise<void> {
  const body = { url: 'https://example.com/hook' };
  const { status } = await service.call('POST', '/api/v1/webhook-endpoints', { as: studio.ada.token, body });
  expect(status).toBe(201);
}

/** Of each endpoint. */
const lateDelivery = () =>
  run(`insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, due_at)
    select account_id, id, 1, uuidv7(), 'job.created', now() - interval '1 hour' from webhook_endpoints`);

// The caller knows its own statement.
// oxlint-disable-next-line typescript/no-explicit-any
async function asSuperuser(statement: string): Promise<any[]> {
  const url = new URL(service.databaseUrl);
  url.username = 'postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

/** A connection as another process of the installation has it. */
async function openProcess(id: string, tag: string): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl, application_name: `atelier ${id} ${tag}` });
  onTestFinished(() => client.end());
  await client.connect();
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
    expect(await line('work')).toBe('');
  });

  test('a migration that failed, with its statement', async () => {
    await run(`delete from kysely_migration where name like '0062%';
      delete from migration_checksums where name like '0062%'`);
    await migrate(service.databaseUrl).catch(() => {});
    expect(await line('migrations')).toMatch(
      /^fail: 1 of \d+ .* The last try: 0062_storage_move\.sql failed in line \d+: .* already exists\. The statement: alter table/,
    );
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

  test('work: nothing waits, then a parked job, a mail and a delivery that nobody sends, and an endpoint that fails', async () => {
    const calm = 'ok: No job, mail, delivery or payment event waits for somebody. → nothing';
    expect(await line('work')).toBe(calm);
    const id = uuidOf('job', await newJob(service, studio.key));
    await run(`update jobs set lease_expiries = 5 where id = '${id}'`);
    expect(await line('work')).toMatch(/^warn: 1 job is parked: no worker gets them any more\. → Look why/);
    await run(`update jobs set lease_expiries = 0 where id = '${id}'`);
    /** Its link works for an hour, so it expires an hour after it was first due. */
    const mail = (due: number, attempts: number, firstDue = due) =>
      run(`insert into mails (kind, address, due_at, attempts, expires_at) values ('verify_email', 'a@example.com',
        now() + interval '${due} minutes', ${attempts}, now() + interval '${firstDue + 60} minutes')`);
    await mail(-1, 0);
    expect(await line('work'), 'a mail that is on its way').toBe(calm);
    await mail(-20, 0);
    expect(await line('work')).toMatch(
      /^fail: 2 mails due, 0 waiting after a failure; the oldest unsent one was due 20 minutes ago\. → Start the/,
    );
    await mail(30, 4, -40);
    expect(await line('work')).toMatch(
      /^warn: 2 mails due, 1 waiting after a failure; the oldest unsent one was due 40 minutes ago/,
    );
    await run('delete from mails');
    await run(
      'insert into unindexed_jobs (account_id, job_id) select uuidv7(), uuidv7() from generate_series(1, 2001)',
    );
    expect(await line('work')).toMatch(/^warn: The words of 2,00\d jobs are not stored/);
    await run('delete from unindexed_jobs');
    await newEndpoint();
    await lateDelivery();
    expect(await line('work')).toMatch(/^warn: 1 webhook delivery is due, the oldest for 60 minutes\. → Start/);
    await run('update webhook_endpoints set failing_since = now()');
    expect(await line('work')).toMatch(/^warn: 1 webhook endpoint of customers fail now, and 0 are disabled for it\./);
    await run(`update webhook_endpoints set failing_since = null, disabled_reason = 'gone'`);
    expect(await line('work')).toMatch(/^warn: 0 webhook endpoints of customers fail now, and 1 are disabled for it\./);
    await run('delete from webhook_deliveries; delete from webhook_endpoints');
    await run(`insert into provider_events (id, type, outcome, reason, livemode, payload, created_at)
      values ('evt_1', 'invoice.paid', 'ignored', 'wrong amount', false, '{}', now())`);
    expect(await line('work')).toMatch(/^warn: 1 event of the provider had no effect.* at \/desk\/payments\.$/);
  });

  test.each([
    ['work', 'mails'],
    ['tasks', 'task_runs'],
  ])('a locked table of %s: the session that has the lock, and how to end it', async (check, table) => {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    onTestFinished(() => client.end());
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]?.pid;
    await client.query(`begin; lock table ${table}`);
    expect(await line(check)).toBe(
      `fail: The check failed: canceling statement due to statement timeout. → ` +
        `Session ${pid} keeps others from ${table}. Look at it: select * from pg_stat_activity where pid = ${pid}; ` +
        `and end it: select pg_terminate_backend(${pid});`,
    );
  });

  test('a proxy that is not trusted, and one that names no caller: what to set', async () => {
    const { db, signer } = service.context;
    const signIn = (people: number, address: string) =>
      run(`insert into audit_log (id, action, actor, subject, user_id, address_hash, request_id)
        select uuidv7(), 'session.created', 'customer', 'sess_1', uuidv7(), '${address}', 'req_1'
        from generate_series(1, ${people})`);
    await asSuperuser('delete from audit_log');
    const https = { publicUrl: 'https://atelier.example', trustProxy: ['10.0.0.5', '10.1.0.0/16'] };
    expect(await checkCallers(db, signer, { ...https, trustProxy: [] })).toMatchObject({
      status: 'warn',
      action: expect.stringContaining('Name the address of the proxy in TRUST_PROXY') as string,
    });
    expect((await checkCallers(db, signer, { publicUrl, trustProxy: [] })).status).toBe('ok');
    await signIn(3, signer.hashAddress('10.0.0.5'));
    expect(await checkCallers(db, signer, https)).toMatchObject({
      status: 'warn',
      sentence: expect.stringMatching(/^The last 3 sign-ins, of 3 people, .* that of the proxy/) as string,
      action: expect.stringContaining('replace X-Forwarded-For') as string,
    });
    await signIn(1, 'elsewhere');
    expect((await checkCallers(db, signer, https)).status).toBe('ok');
    await asSuperuser('delete from audit_log');
    await signIn(19, 'in the network of the proxy');
    expect((await checkCallers(db, signer, https)).status).toBe('ok');
    await signIn(1, 'in the network of the proxy');
    expect((await checkCallers(db, signer, https)).sentence).toContain('of 20 people, came from one address: they');
  });

  test('a task that nobody runs, and one that does not succeed', async () => {
    expect(await line('tasks')).toMatch(/^warn: No process has run scheduled tasks so far\. → Start the service/);
    const never = { everySeconds: 3600, run: async () => {} };
    const queue = startQueue(service.databaseUrl, { never, fails: never }, service.context.log);
    await expect.poll(async () => (await checkTasks(service.context.db)).status).toBe('ok');
    await queue.stop();
    await run(`update task_runs set succeeded_at = now() - interval '4 hours' where task = 'fails'`);
    expect(await line('tasks')).toMatch(/^warn: Scheduled tasks have not succeeded for three periods: fails\. →/);
    await run(`update task_runs set due_at = now() - interval '1 hour' where task = 'never'`);
    // Another task has just succeeded, so the last run of this one may still last.
    expect(await line('tasks')).toMatch(/^warn: Scheduled tasks have not succeeded for three periods: fails\. →/);
    await run(`update task_runs set succeeded_at = succeeded_at - interval '2 minutes'`);
    expect(await line('tasks')).toMatch(/^fail: No process runs scheduled tasks: never late by 36\d\d s\. → Start the/);
  });

  test('a ciphertext under the second key, and under none', async () => {
    await newEndpoint();
    const { db } = service.context;
    const [old, other] = [environment.SECRET_KEY, 'another-secret-key-of-32-characters'];
    expect((await checkSecrets(db, [old])).status).toBe('ok');
    expect(await checkSecrets(db, [other, old])).toMatchObject({
      status: 'warn',
      sentence: expect.stringContaining('still needed for 1 webhook secret.') as string,
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

  test('a right that is missing: the statement that gives it, and only for tables of the service', async () => {
    expect(await line('rights')).toBe('ok: The role has its rights on all tables of the service. → nothing');
    await asSuperuser('create table of_others (id int)');
    await run('revoke insert on jobs from current_user');
    await run('revoke update, delete on mails, events from current_user');
    await run('revoke update (reverses) on usage_ledger from current_user');
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(service.context.db);
    const role = rows[0]?.role;
    expect(await line('rights')).toBe(
      [
        ['insert', 'jobs'],
        ['update (reverses)', 'usage_ledger'],
        ['update, delete', 'events, mails'],
      ]
        .map(
          ([rights, tables]) =>
            `fail: The role ${role} lacks ${rights} on ${tables}. → Run as the owner of the table or a superuser: grant ${rights} on ${tables} to ${role};`,
        )
        .join('\n'),
    );
  });

  test('a right that is missing in the schema of DATABASE_SCHEMA', async () => {
    const url = urlOfSchema(service.databaseUrl, 'second');
    await migrate(url);
    await run('revoke insert on second.jobs from current_user');
    const env = { DATABASE_SCHEMA: 'second' };
    expect(await line('rights', env, url)).toMatch(/^fail: .*: grant insert on second\.jobs to \w+;$/);
    expect(await line('rights')).toMatch(/^ok/);
    await run('grant delete on second.audit_log to public');
    expect(await line('unchanged rows', env, url)).toMatch(/^fail: .*: revoke .* on second\.audit_log from public;$/);
  });

  test('a ledger that can be changed: the statement that revokes it, and keeps the column that may change', async () => {
    expect(await line('unchanged rows')).toMatch(/^ok/);
    await run('grant update, delete on usage_ledger to current_user');
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(service.context.db);
    const role = rows[0]?.role;
    expect(await line('unchanged rows')).toBe(
      `fail: Rows of usage_ledger can be changed: ${role} may delete, update. → Run as the owner of the table or a superuser: ` +
        `revoke delete, update on usage_ledger from ${role}; grant update (reverses) on usage_ledger to ${role};`,
    );
  });

  test('a limit of the role or the database below what all processes may open', async () => {
    const role = `small_${Date.now()}`;
    const url = new URL(service.databaseUrl);
    const database = url.pathname.slice(1);
    await asSuperuser(`create role ${role} login connection limit 20`);
    url.username = role;
    url.password = '';
    const db = createDb(url.href, 1, () => {});
    onTestFinished(() => db.destroy());
    for (const process of ['first', 'second']) await openProcess(process, 'tag');
    const { config } = installation();
    expect(await checkConnections(db, config)).toMatchObject({
      status: 'fail',
      sentence: expect.stringMatching(
        /^2 processes run, each with up to \d+ connections; the limit of the role is 20, of which 1 is open\.$/,
      ) as string,
      action: `Run as a superuser: alter role ${role} connection limit -1;`,
    });
    await asSuperuser(`alter database ${database} connection limit 19`);
    expect((await checkConnections(db, config)).action).toBe(
      `Run as a superuser: alter database ${database} connection limit -1;`,
    );
  });

  test('no connection left for the role, and a role that may not log in: what mends it', async () => {
    const role = `Small_${Date.now()}`;
    const url = Object.assign(new URL(service.databaseUrl), { username: role, password: '' }).href;
    await asSuperuser(`create role "${role}" login connection limit 0`);
    expect(await line('Postgres', {}, url)).toBe(
      `fail: The check failed: too many connections for role "${role}". → ` +
        `Run as a superuser: alter role "${role}" connection limit -1;`,
    );
    await asSuperuser(`alter role "${role}" nologin`);
    expect(await line('Postgres', {}, url)).toMatch(
      /is not permitted to log in\. → Check the user and the password of/,
    );
  });

  const isRoot = process.getuid?.() === 0; // only root may mount a disk
  test.skipIf(!isRoot)('a Postgres without space', async () => {
    expect(await line('space')).toMatch(/^ok/);
    const disk = await openSmallDisk(8);
    onTestFinished(() => disk.close());
    const location = join(disk.folder, 'space');
    await mkdir(location);
    const [{ data_directory }] = await asSuperuser('show data_directory');
    const { uid, gid } = await stat(data_directory);
    await chown(location, uid, gid);
    disk.fill();
    const space = `small_${Date.now()}`;
    await asSuperuser(`create tablespace ${space} location '${location}'`);
    await asSuperuser(`grant create on tablespace ${space} to public`);
    await asSuperuser(
      `alter database "${new URL(service.databaseUrl).pathname.slice(1)}" set temp_tablespaces = ${space}`,
    );
    expect(await line('space')).toMatch(/^fail: Postgres has no space: .*No space left on device\. → Free space/);
    await asSuperuser(`alter database "${new URL(service.databaseUrl).pathname.slice(1)}" reset temp_tablespaces`);
    await asSuperuser(`drop tablespace ${space}`);
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
    expect((await checkProcesses(db, config, signer)).sentence).toBe('No process of the service runs.');
    await openProcess('own', signer.fingerprints[0] ?? '');
    expect((await checkProcesses(db, config, signer)).status).toBe('ok');
    await openProcess('strange', 'strange');
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

  test.runIf(hasProof)('wrong S3 credentials, then CORS rules that are missing and set', async () => {
    const s3 = await openTestStorage('s3');
    onTestFinished(() => s3.close());
    expect((await bucket(s3.env)).map(({ check, status }) => [check, status])).toEqual([
      ['storage', 'ok'],
      ['storage from pages', 'fail'],
    ]);
    expect(await s3.keys(), 'nothing is left').toEqual([]);
    const endpoint = /endpoint=([^&]+)/.exec(s3.env['STORAGE_URL'] ?? '')?.[1] ?? '';
    const client = new S3Client({ endpoint, forcePathStyle: true, region: 'eu-central-1' });
    const allow = (AllowedMethods: string[]) => {
      const CORSRules = [{ AllowedOrigins: [publicUrl], AllowedMethods, AllowedHeaders: ['*'] }];
      return client.send(new PutBucketCorsCommand({ Bucket: 'atelier', CORSConfiguration: { CORSRules } }));
    };
    await allow(['PUT']);
    expect((await bucket(s3.env)).map(({ status }) => status)).toEqual(['ok', 'warn']);
    await allow(['PUT', 'GET']);
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

  test('a storage behind a proxy that does not reach it: the status of the proxy', async () => {
    const proxy = createServer((_, response) => response.writeHead(502).end()).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'one');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    const [line] = await bucket({ STORAGE_URL: `s3://atelier?endpoint=${endpoint}` });
    expect(line?.sentence).toBe('The check failed: UnknownError, answered 502.');
  });

  test('a disk that is low or full, and a folder that is missing', async () => {
    const free = (percent: number) => async () => ({ free: percent, size: 100 });
    expect((await checkDisks([folder], free(50))).map(({ status }) => status)).toEqual(['ok']);
    expect((await checkDisks([folder], free(9))).map(({ status }) => status)).toEqual(['warn']);
    expect((await checkDisks([folder], free(1))).map(({ status }) => status)).toEqual(['fail']);
    expect((await checkDisks([join(folder, 'away')], free(50)))[0]?.sentence).toContain('does not exist');
  });

  test('pages that are not built, or built from other sources than those beside them', async () => {
    await writeFile(join(folder, 'fingerprint'), '0123456789abcdef and more');
    const states = ['missing', 'stale', 'current'] as const;
    const findings = await Promise.all(states.map((built) => checkPages(built, folder)));
    expect(findings.map(({ status, sentence }) => `${status}: ${sentence}`)).toEqual([
      'fail: The web pages are not built.',
      'fail: The web pages were built from other sources than those of this version.',
      'ok: The web pages are built (0123456789abcdef).',
    ]);
    expect(findings.map(({ action }) => action)).toEqual(['Run: npm run build', 'Run: npm run build', null]);
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

  const hello: RequestListener = (_, response) => response.end('hello');
  async function openTls(certificate: string, site = hello): Promise<string> {
    const server = createTlsServer({ key: certificateKey, cert: certificate }, site).listen(0, 'localhost');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    return `https://localhost:${(server.address() as AddressInfo).port}`;
  }

  test.each([
    ['expired', 'fail', 'expired on 2021-01-01', 'Renew it'],
    ['future', 'fail', 'is valid only from 2090-01-01 on', 'Renew it'],
    ['otherName', 'fail', 'is for other.example, and not for localhost', 'Renew it'],
    ['ownAuthority', 'warn', 'is of an authority that this machine does not trust', 'NODE_EXTRA_CA_CERTS'],
  ] as const)(
    'a public address whose certificate is wrong: %s is %s, with the reason',
    async (name, expectedStatus, words, hint) => {
      const address = await openTls(certificates[name]);
      const { status, sentence, action } = await checkPublicUrl(address, service.context.signer, reason);
      expect([status, sentence, action]).toEqual([
        expectedStatus,
        expect.stringContaining(`The certificate of ${address} ${words}`) as string,
        expect.stringContaining(hint) as string,
      ]);
    },
  );

  test('a certificate that ends within 14 days is a warning, although everything answers', async () => {
    const pass: RequestListener = ({ url = '' }, response) =>
      void fetch(service.url + url).then(async (answer) => response.writeHead(answer.status).end(await answer.text()));
    const address = await openTls(certificates.ownAuthority, pass);
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2099-12-20T00:00:00Z') });
    onTestFinished(() => void (vi.unstubAllEnvs(), vi.useRealTimers()));
    const { signer } = service.context;
    expect(await checkPublicUrl(address, signer, reason)).toMatchObject({
      status: 'warn',
      sentence: `The certificate of ${address} ends on 2100-01-01.`,
    });
  });

  test('a proxy that has no process ready while Postgres is away: Postgres is the cause', async () => {
    const proxy = createServer((_, response) => response.writeHead(503).end('no process')).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const seen = { ...installation(), publicUrl: address };
    const away = await examineDatabase(seen, 'postgres://me@127.0.0.1:9/atelier');
    const [line] = await examinePublicAddress(seen, away);
    expect(line).toMatchObject({
      status: 'warn',
      sentence: `${address} answers 503, as it does without Postgres.`,
      action: 'Mend what the line Postgres says, then run doctor again.',
    });
    expect((await examinePublicAddress(seen, []))[0]).toMatchObject({ status: 'fail' });
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

  test('a public address whose service cannot read its storage: the storage is blamed, not the proxy', async () => {
    const { config, signer } = service.context;
    const files = 'folder' in config.storage ? config.storage.folder : '';
    await rm(files, { recursive: true, force: true });
    await symlink(files, files); // reading it ends in ELOOP, whoever reads
    const finding = await checkPublicUrl(service.url, signer, reason);
    expect([finding.status, finding.sentence]).toEqual([
      'fail',
      expect.stringMatching(/^The service at http\S+ answers 50[03] \(\w+\) when it reads a file\.$/),
    ]);
    expect(finding.action).toMatch(/storage/);
    expect(finding.action).not.toContain('proxy');
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
