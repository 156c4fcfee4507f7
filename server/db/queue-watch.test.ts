import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { deadlines } from '../lib/deadlines.ts';
import { createLog } from '../lib/log.ts';
import { startQueue } from './queue.ts';
import { QueueWatch } from './queue-watch.ts';

const log = createLog('silent');
const soon = { timeout: 60_000, interval: 50 };
const { silence } = deadlines.tasks;

let service: Service;
let admin: pg.Client;
/** What the watch does. */
let state: { tasksRun: boolean };
let opened: number;
let reasons: string[];
let runs: number;
beforeAll(async () => {
  service = await createService();
  Object.assign(deadlines.tasks, { silence: 3_000 });
  const server = new URL(service.databaseUrl);
  server.pathname = '/postgres';
  admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
});
beforeEach(() => {
  state = { tasksRun: true };
  [opened, reasons, runs] = [0, [], 0];
});
afterEach(() => service.context.db.deleteFrom('task_runs').execute());
afterAll(async () => {
  Object.assign(deadlines.tasks, { silence });
  await admin.end();
  await service.close();
});

const watch = (run: () => Promise<void> = async () => {}) =>
  new QueueWatch(
    { databaseWatch: service.context.databaseWatch, log, state },
    (noteRun) => {
      opened++;
      const tasks = { watched: { everySeconds: 1, run: async () => (runs++, run()) } };
      return startQueue(service.databaseUrl, tasks, log, '', { ran: noteRun, succeeded() {} });
    },
    (reason) => reasons.push(reason),
  );

/** A transaction of its own holds the table of the queue, so that no task can be taken. */
async function lockTasks(): Promise<{ release(): Promise<void> }> {
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table task_runs');
  return { release: () => holder.end() };
}

test('no task runs although the database answers: opened anew twice, then given up with the reason', async () => {
  const lock = await lockTasks();
  const queue = watch();
  await expect.poll(() => state.tasksRun, soon).toBe(false);
  await expect.poll(() => reasons.length, soon).toBeGreaterThan(0);
  expect(opened).toBe(3);
  expect(reasons[0]).toBe('no scheduled task has run for 3 s although the database answers');
  await lock.release();
  await queue.stop();
});

test('tasks that never end: a queue that is opened anew runs them again', async () => {
  const ends = Promise.withResolvers<void>();
  const queue = watch(() => (opened === 1 ? ends.promise : Promise.resolve()));
  await expect.poll(() => opened, soon).toBe(2);
  await expect.poll(() => state.tasksRun, soon).toBe(true);
  await sleep(5_000);
  expect([opened, reasons]).toEqual([2, []]);
  ends.resolve();
  await queue.stop();
});

test('tasks that another process notes are no silence', async () => {
  const ends = Promise.withResolvers<void>();
  const queue = watch(() => ends.promise);
  for (const until = performance.now() + 7_000; performance.now() < until; await sleep(500))
    await service.context.db.updateTable('task_runs').set({ succeeded_at: new Date() }).execute();
  expect([opened, state]).toEqual([1, { tasksRun: true }]);
  ends.resolve();
  await queue.stop();
});

test('a database that is away does not count', async () => {
  const queue = watch();
  await expect.poll(() => runs, soon).toBeGreaterThan(0);
  const name = new URL(service.databaseUrl).pathname.slice(1);
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await sleep(8_000);
  const [before, openedBefore] = [runs, opened];
  await admin.query(`alter database ${name} allow_connections true`);
  await expect.poll(() => runs, soon).toBeGreaterThan(before);
  expect([openedBefore, opened, state]).toEqual([1, 1, { tasksRun: true }]);
  await queue.stop();
});

test('a process that stood still does not count', async () => {
  const queue = watch();
  await expect.poll(() => runs, soon).toBeGreaterThan(0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8_000);
  const before = runs;
  await expect.poll(() => runs, soon).toBeGreaterThan(before);
  expect([opened, state]).toEqual([1, { tasksRun: true }]);
  await queue.stop();
});
