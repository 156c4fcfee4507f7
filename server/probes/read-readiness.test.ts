import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signalPostgres } from '../../test/faults/postgres.ts';
import { openSmallDisk } from '../../test/faults/small-disk.ts';
import { createService, type Got, type Service } from '../../test/support/harness.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import { migrate } from '../db/migrate.ts';
import { checkStorages } from '../doctor/check-storage.ts';
import { deadlines } from '../lib/deadlines.ts';
import { startScheduledTasks } from '../scheduled-tasks.ts';

const messageOf = async (service: Service) => (await service.call('GET', '/readyz')).body.error?.message as string;

describe('on the Postgres of the tests, which has no fsync', () => {
  let service: Service;
  // Of its own: it takes a migration out, and drains the service.
  beforeAll(async () => void (service = await createService()));
  afterAll(() => service.close());

  test('503 service_unavailable: the database could lose what it acknowledged', async () => {
    await expect.poll(() => messageOf(service)).toContain('fsync'); // a busy machine may be late with the first look
    const { status, headers, body } = await service.call('GET', '/readyz');
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2']);
    expect(body.error.message).toContain('fsync');
  });

  test('503 service_unavailable: a migration is missing', async () => {
    await sql`delete from kysely_migration where name = '0004_jobs'`.execute(service.context.db);
    await expect.poll(() => messageOf(service)).toContain('0004_jobs');
    await sql`insert into kysely_migration (name, timestamp) values ('0004_jobs', '')`.execute(service.context.db);
  });

  test('503 service_unavailable: draining, told at once', async () => {
    service.context.state.draining = true;
    expect(await messageOf(service)).toContain('stopping');
    service.context.state.draining = false;
  });
});

describe('events of the payment provider', () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_none', STRIPE_API_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' };
  let service: Service;
  // Of its own: it has a provider, and one row for the whole installation.
  beforeAll(async () => void (service = await createService(stripe)));
  afterAll(() => service.close());

  const refuse = async () => {
    service.context.signatures.refused({ outcome: 'unmatched' });
    await service.context.signatures.writeNow();
  };
  const degraded = async (of = service) => {
    const { body } = await of.call('GET', '/readyz?verbose'); // 503, because the Postgres of the tests has no fsync
    const details: { location: string; message: string }[] = body.error.details ?? [];
    return details.filter(({ location }) => location === 'payments');
  };
  const metric = async (name: string, of = service) => {
    const text = String((await of.call('GET', '/metrics')).body);
    return text.split('\n').find((line) => line.startsWith(`atelier_${name}`));
  };

  test('degraded while they are refused and none was accepted since; a metric counts them', async () => {
    expect(await degraded()).toEqual([]);
    expect(await metric('provider_signature_timestamp_seconds{outcome="accepted"}')).toMatch(/ 0$/);
    await refuse();
    await refuse();
    const [first] = await degraded();
    expect(first?.message).toMatch(/^2 signed posts refused since \d{4}-[-\dT:.]+Z, none accepted since$/);
    expect(await metric('provider_signatures_refused_since_accepted')).toMatch(/ 2$/);
    expect(await metric('dependency_up{name="payments"}')).toMatch(/ 0$/);
    expect(await messageOf(service)).not.toContain('refused'); // it takes no process out
    service.context.signatures.accepted({ byFirst: true }, false);
    await service.context.signatures.writeNow();
    expect(await degraded()).toEqual([]);
    expect(await metric('provider_signatures_refused_since_accepted')).toMatch(/ 0$/);
    expect(await metric('dependency_up{name="payments"}')).toMatch(/ 1$/);
    const time = Number((await metric('provider_signature_timestamp_seconds{outcome="accepted"}'))?.split(' ').at(-1));
    expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
  });

  test('another process learns it within seconds; a copy and the sandbox say nothing', async () => {
    const { databaseUrl } = service;
    const [other, sandbox] = await Promise.all(
      [stripe, { LOG_LEVEL: 'silent' }].map((env) => createService(env, { databaseUrl })),
    );
    expect(await degraded(other)).toEqual([]);
    await refuse();
    await expect.poll(() => degraded(other), { timeout: 15_000 }).toHaveLength(1);
    expect(await degraded(sandbox)).toEqual([]);
    await Promise.all([other?.close(), sandbox?.close(), service.close()]);
    service = await createService({ ...stripe, OUTBOUND: 'off' }, { databaseUrl });
    expect(await degraded()).toEqual([]);
    expect(await metric('provider_signatures_refused')).toBeUndefined();
  });
});

describe('on a durable database with every migration', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let service: Service;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-ready-'));
    await chmod(folder, 0o711);
    postgres = await startEmbeddedPostgres(folder, () => {});
    await migrate(postgres.url);
    service = await createService({ LOG_LEVEL: 'silent' }, { databaseUrl: postgres.url });
  });
  afterAll(async () => {
    await service.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (path = '/readyz'): Promise<Got> => service.call('GET', path);
  const dependencies = async () => (await ask('/readyz?verbose')).body.dependencies;

  test('200 ready', async () => {
    await expect.poll(async () => (await ask()).body).toEqual({ status: 'ready' });
  });

  test('200 ready, and a copy says that nothing goes out', async () => {
    const env = { OUTBOUND: 'off', SMTP_URL: 'smtp://127.0.0.1:9', LOG_LEVEL: 'silent' };
    const copy = await createService(env, { databaseUrl: postgres.url });
    const askCopy = async (path: string) => (await copy.call('GET', path)).body;
    await expect.poll(() => askCopy('/readyz')).toEqual({ status: 'ready', outbound: 'off' });
    const verbose = await askCopy('/readyz?verbose');
    expect([verbose.outbound, verbose.dependencies.mail]).toEqual(['off', undefined]);
    await copy.close();
  });

  test('200 ready, without a wait, while all connections of the pool are in use', async () => {
    const { db } = service.context;
    let running = true;
    const busy = Array.from({ length: 40 }, async () => {
      while (running) await sql`select pg_sleep(0.5)`.execute(db).catch(() => {});
    });
    const waits: number[] = [];
    for (let n = 0; n < 40; n++) {
      const began = performance.now();
      expect((await ask()).status).toBe(200);
      waits.push(performance.now() - began);
    }
    const began = performance.now();
    await sql`select 1`.execute(db);
    const inPool = performance.now() - began;
    running = false;
    await Promise.all(busy);
    expect(waits.toSorted((one, other) => one - other)[20]).toBeLessThan(inPool / 3);
    expect(inPool).toBeGreaterThan(300);
  });

  test('200 with each dependency, if `verbose` asks for it', async () => {
    await expect.poll(dependencies).toEqual({
      database: { status: 'ok', message: null },
      tasks: { status: 'ok', message: null },
      listener: { status: 'ok', message: null },
      storage: { status: 'ok', message: null },
      sweeps: { status: 'ok', message: null },
      loops: { status: 'ok', message: null },
    });
    expect((await ask('/readyz?verbose=true')).body.dependencies).toBeDefined();
    expect((await ask('/readyz?verbose=1')).status).toBe(400);
  });

  test('200, and the loops are degraded, once one had no success for three minutes', async () => {
    const { loops } = service.context;
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 181_000);
    expect(loops.late()).toContain('events');
    vi.restoreAllMocks();
    vi.spyOn(loops, 'late').mockReturnValue(['mails']);
    const degraded = { status: 'degraded', message: 'without success for three minutes: mails' };
    expect((await dependencies()).loops).toEqual(degraded);
    expect((await ask('/metrics')).body).toContain('atelier_dependency_up{name="loops"} 0');
    vi.restoreAllMocks();
  });

  test('200, and the database is degraded, after a statement that found no space', async () => {
    const full = sql`do $$ begin raise exception using errcode = 'disk_full'; end $$`.execute(service.context.db);
    await expect(full).rejects.toThrow('disk_full');
    expect((await dependencies()).database).toMatchObject({
      status: 'degraded',
      message: expect.stringContaining('no space'),
    });
    expect((await ask()).body).toEqual({ status: 'ready' });
  });

  const isRoot = process.getuid?.() === 0; // only root may mount a disk
  test.skipIf(!isRoot)('200, and the storage is degraded, while its disk is full or read-only', async () => {
    const disk = await openSmallDisk(6);
    const alone = await createService({ STORAGE_URL: `file:${disk.folder}` }, { databaseUrl: postgres.url });
    try {
      const storage = async () => (await alone.call('GET', '/readyz?verbose')).body.dependencies?.storage;
      const valueOf = async (series: string) => {
        const lines = String((await alone.call('GET', '/metrics')).body).split('\n');
        return Number(
          lines
            .find((line) => line.startsWith(`${series} `))
            ?.split(' ')
            .at(-1),
        );
      };
      await expect.poll(storage).toEqual({ status: 'ok', message: null });
      expect(await valueOf('atelier_files_disk_bytes')).toBe(6 * 2 ** 20);
      expect(await valueOf('atelier_files_free_bytes')).toBeGreaterThan(5 * 2 ** 20);
      disk.fill();
      const full = { status: 'degraded', message: expect.stringContaining('uploads fail once it is full') as string };
      await expect.poll(storage, { timeout: 10_000 }).toEqual(full); // a look serves five seconds
      expect(await valueOf('atelier_files_free_bytes')).toBe(0);
      expect(await valueOf('atelier_dependency_up{name="storage"}')).toBe(0);
      disk.empty();
      disk.mount('ro');
      const error = vi.spyOn(alone.context.log, 'error').mockImplementation(() => {});
      await alone.context.storageWatch.probe(); // as at the start and each minute
      expect(error).not.toHaveBeenCalled();
      await alone.context.storageWatch.probe();
      const message = 'cannot be written: EROFS: read-only file system';
      expect(await storage()).toEqual({ status: 'degraded', message });
      expect(await valueOf('atelier_dependency_up{name="storage"}')).toBe(0);
      expect(error.mock.calls.map(([, text]) => text)).toEqual([`The storage ${message}.`]);
      expect((await checkStorages(alone.context.db)).sentence).toContain(`${message}.`);
      disk.mount('rw');
      await alone.context.storageWatch.probe();
      expect(await storage()).toEqual({ status: 'ok', message: null });
    } finally {
      await alone.close();
      await disk.close();
    }
  });

  test('503 service_unavailable: no scheduled task runs, although the database answers; afterwards 200 again', async () => {
    const { silence } = deadlines.tasks;
    Object.assign(deadlines.tasks, { silence: 2_000 });
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query('begin; lock table task_runs');
    const queue = startScheduledTasks(service.context, postgres.url);
    await expect.poll(() => messageOf(service), { timeout: 60_000 }).toContain('no scheduled task runs');
    const { details } = (await ask('/readyz?verbose')).body.error;
    expect(details).toContainEqual({ location: 'tasks', message: expect.stringContaining('no scheduled task runs') });
    expect((await ask('/metrics')).body).toContain('atelier_dependency_up{name="tasks"} 0');
    await holder.end();
    await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(200);
    await queue.stop();
    Object.assign(deadlines.tasks, { silence });
  });

  test('503 service_unavailable: the database is frozen, and soon told; afterwards 200 again', async () => {
    const frozenAt = performance.now();
    signalPostgres(folder, 'SIGSTOP');
    await expect.poll(() => messageOf(service)).toContain('the database does not answer');
    expect(performance.now() - frozenAt).toBeLessThan(20_000);
    const { body } = await ask('/readyz?verbose');
    const message = expect.stringMatching(/^does not answer/) as string;
    expect(body.error.details).toContainEqual({ location: 'database', message });
    signalPostgres(folder, 'SIGCONT');
    await expect.poll(async () => (await ask()).status).toBe(200);
  });
});
