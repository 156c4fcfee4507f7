import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { type Queue, startQueue } from './queue.ts';
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

test('tasks that do not end keep no other from running, on four connections', async () => {
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
      where datname = current_database() and query ilike '%graphile%' and pid <> pg_backend_pid()`);
    counts.push(rows[0]?.open ?? 0);
  }
  expect(names.map((name) => runs[name])).toEqual([
    ...names.slice(0, 10).map(() => 1),
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(Math.min(runs['parallel10'] ?? 0, runs['parallel11'] ?? 0)).toBeGreaterThan(2);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  await admin.end();
  await clock.stop();
  await own.close();
}, 60_000);

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
