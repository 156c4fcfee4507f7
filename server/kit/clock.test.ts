import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openService, type Service } from '../../test/service.ts';
import { type Clock, startClock } from './clock.ts';
import { openLog } from './log.ts';

let service: Service;
beforeAll(async () => void (service = await openService()));
afterAll(() => service.close());

const log = openLog('silent');
const start = (run: (stopped: AbortSignal) => Promise<void>): Clock =>
  startClock(service.databaseUrl, { tick: { everySeconds: 1, run } }, log);
const soon = { timeout: 15_000, interval: 50 };

test('a task runs again and again, also after it failed, and no more after the stop', async () => {
  let runs = 0;
  const clock = start(async () => {
    if (++runs === 1) throw new Error('the first time fails');
  });
  await expect.poll(() => runs, soon).toBeGreaterThan(2);
  await clock.stop();
  const then = runs;
  await sleep(4_000);
  expect(runs).toBe(then);
});

test('processes that start together share the runs', async () => {
  const runs: number[] = [];
  const clocks = [0, 1, 2].map((n) => start(async () => void runs.push(n)));
  await sleep(9_000);
  await Promise.all(clocks.map((clock) => clock.stop()));
  // Each alone would come to at least four in this time, together to no more than one could.
  expect(runs.length).toBeGreaterThanOrEqual(2);
  expect(runs.length).toBeLessThanOrEqual(9);
});

test('a task that died with its process is done by another', async () => {
  const env = { ...process.env, DATABASE_URL: service.databaseUrl };
  const child = spawn(process.execPath, ['test/clock-process.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  let runs = 0;
  const clock = start(async () => void runs++);
  await expect.poll(() => runs, soon).toBeGreaterThan(0);
  await clock.stop();
});

test('the stop tells a running task to end, and waits for it', async () => {
  const began = vi.fn();
  let ended = false;
  const clock = start(async (stopped) => {
    began();
    await once(stopped, 'abort');
    await sleep(100);
    ended = true;
  });
  await expect.poll(() => began.mock.calls.length, soon).toBe(1);
  await clock.stop();
  expect(ended).toBe(true);
});

test('the clock outlives its connections', async () => {
  let runs = 0;
  const clock = start(async () => void runs++);
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
