import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { type Queue, startQueue, type Task } from './queue.ts';
import { deadlines } from '../lib/deadlines.ts';
import { createLog } from '../lib/log.ts';

let service: Service;
// Of its own: it cuts all connections of the database.
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const log = createLog('silent');
/** A queue with one task. Each test names its own, because the tests share the database. */
const start = (name: string, run: (stopped: AbortSignal) => Promise<void>): Queue =>
  startQueue(service.databaseUrl, { [name]: { everySeconds: 1, run } }, log);
const soon = { timeout: 60_000, interval: 50 };

describe.concurrent('a task', () => {
  test('runs repeatedly, also after a failure, and stops with the queue', async ({ expect }) => {
    let runs = 0;
    const clock = start('often', async () => {
      if (++runs === 1) throw new Error('the first time fails');
    });
    await expect.poll(() => runs, soon).toBeGreaterThan(2);
    await clock.stop();
    const then = runs;
    await sleep(4_000);
    expect(runs).toBe(then);
  });

  test('is shared by processes that start together', async ({ expect }) => {
    let runs = 0;
    const began = performance.now();
    const clocks = [0, 1, 2].map(() => start('shared', async () => void runs++));
    await expect.poll(() => runs, soon).toBeGreaterThan(4);
    await Promise.all(clocks.map((clock) => clock.stop()));
    expect(runs).toBeLessThan((performance.now() - began) / 1_000 + 2);
  });

  test('that is woken runs at once, and once more if it runs already; not after the stop', async ({ expect }) => {
    let runs = 0;
    let end = () => {};
    const run = () => (runs++, new Promise<void>((resolve) => (end = resolve)));
    const clock = startQueue(service.databaseUrl, { woken: { everySeconds: 3_600, run } }, log);
    clock.wake('another');
    clock.wake('woken');
    expect(runs).toBe(1);
    for (let n = 0; n < 3; n++) clock.wake('woken');
    expect(runs).toBe(1);
    end();
    await expect.poll(() => runs, soon).toBe(2);
    const stopped = clock.stop();
    end();
    await stopped;
    clock.wake('woken');
    expect(runs).toBe(2);
  });

  test('is taken over when its process dies', async ({ expect }) => {
    const env = { ...process.env, DATABASE_URL: service.databaseUrl, TASK: 'dies' };
    const child = spawn(process.execPath, ['test/support/clock-process.ts'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    let runs = 0;
    const clock = start('dies', async () => void runs++);
    await expect.poll(() => runs, soon).toBeGreaterThan(0);
    await clock.stop();
  });

  test('that is running at the stop is told to end and awaited', async ({ expect }) => {
    let [began, ended] = [false, false];
    const clock = start('ends', async (stopped) => {
      began = true;
      await once(stopped, 'abort');
      await sleep(100);
      ended = true;
    });
    await expect.poll(() => began, soon).toBe(true);
    await clock.stop();
    expect(ended).toBe(true);
  });
});

test('tasks that do not end keep no other from running, on one connection', async () => {
  const runs: Record<string, number> = {};
  const names = Array.from({ length: 12 }, (_, n) => `parallel${n}`);
  const tasks = names.map((name, n) => {
    const run = async (stopped: AbortSignal) => {
      runs[name] = (runs[name] ?? 0) + 1;
      if (n < 10) await once(stopped, 'abort');
    };
    return [name, { everySeconds: 1, run }] as const;
  });
  const own = await createService();
  const clock = startQueue(own.databaseUrl, Object.fromEntries(tasks), log);
  const admin = new pg.Client({ connectionString: own.databaseUrl });
  await admin.connect();
  const counts: number[] = [];
  for (const until = performance.now() + 8_000; performance.now() < until; await sleep(20)) {
    const { rows } = await admin.query<{ open: number }>(`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and query ilike '%task_runs%' and pid <> pg_backend_pid()`);
    counts.push(rows[0]?.open ?? 0);
  }
  expect(names.map((name) => runs[name])).toEqual([
    ...names.slice(0, 10).map(() => 1),
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(Math.min(runs['parallel10'] ?? 0, runs['parallel11'] ?? 0)).toBeGreaterThan(2);
  expect(Math.max(...counts)).toBe(1);
  await admin.end();
  await clock.stop();
  await own.close();
}, 60_000);

test('a task that does not end is started again once it counts as stuck; others are not held up', async () => {
  const { stuck } = deadlines.tasks;
  Object.assign(deadlines.tasks, { stuck: 3_000 });
  const ends = Promise.withResolvers<void>();
  const began: number[] = [];
  let others = 0;
  const hangs = { everySeconds: 1, run: () => (began.push(performance.now()), ends.promise) };
  const runs = { everySeconds: 1, run: async () => void others++ };
  const clock = startQueue(service.databaseUrl, { hangs, runs }, log);
  await expect.poll(() => began.length, soon).toBe(2);
  expect(began[1]! - began[0]!).toBeGreaterThan(2_900);
  expect(others).toBeGreaterThan(0);
  ends.resolve();
  await clock.stop();
  Object.assign(deadlines.tasks, { stuck });
});

test('the queue survives the loss of its connections', async () => {
  let runs = 0;
  const clock = start('outlives', async () => void runs++);
  await expect.poll(() => runs, soon).toBeGreaterThan(0);
  const admin = new pg.Client({ connectionString: service.databaseUrl });
  await admin.connect();
  for (let n = 0; n < 20; n++) {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await sleep(100);
  }
  await admin.end();
  const then = runs;
  await expect.poll(() => runs, soon).toBeGreaterThan(then + 1);
  await clock.stop();
});

test('the queue runs on after tasks that ended while no connection was to be had', async () => {
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const server = new URL(service.databaseUrl);
  server.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  const names = ['first', 'second', 'third'];
  const runs = names.map(() => 0);
  const ends = names.map(() => Promise.withResolvers<void>());
  const tasks = names.map((of, n): [string, Task] => {
    const run = () => ((runs[n] = runs[n]! + 1), ends[n]!.promise);
    return [of, { everySeconds: 1, run }];
  });
  const clock = startQueue(service.databaseUrl, Object.fromEntries(tasks), log);
  await expect.poll(() => runs, soon).toEqual([1, 1, 1]);
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  // The library of before could hang after two ends that it could not write, while a third task still ran.
  for (const [n, { resolve }] of ends.entries()) {
    await sleep(n * 500);
    resolve();
  }
  await sleep(2_000);
  await admin.query(`alter database ${name} allow_connections true`);
  await expect.poll(() => Math.min(...runs), soon).toBeGreaterThan(1);
  await admin.end();
  await clock.stop();
}, 120_000);

test('a task whose time is far away, as after a step of the clock, is due after its period', async () => {
  let runs = 0;
  const { db } = service.context;
  const row = { task: 'stepped', succeeded_at: new Date(), seconds: 0, every_seconds: 1 };
  await db
    .insertInto('task_runs')
    .values({ ...row, due_at: new Date(Date.now() + 3_600_000) })
    .execute();
  const clock = start('stepped', async () => void runs++);
  await expect.poll(() => runs, soon).toBeGreaterThan(1);
  await clock.stop();
});

test('a look at tasks of which none is due writes nothing', async () => {
  const own = await createService();
  const clock = startQueue(own.databaseUrl, { rare: { everySeconds: 3_600, run: async () => {} } }, log);
  const { db } = own.context;
  const find = () => db.selectFrom('task_runs').selectAll().where('task', '=', 'rare').execute();
  await expect.poll(find, soon).toHaveLength(1);
  const before = await find();
  await clock.stop();
  await startQueue(own.databaseUrl, { rare: { everySeconds: 3_600, run: async () => {} } }, log).stop();
  expect(await find()).toEqual(before);
  await own.close();
});
