import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect as dial, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { isAlive } from '../../server/embedded-postgres/orphans.ts';
import { draft } from '../support/jobs.ts';
import { createUntilStopped } from './creates.ts';
import { type Customer, demoCustomer, expectBooksToAgree, type Faulty, createFaultyService } from './faulty-service.ts';
import { type Asks, asksTo, slack } from './load.ts';
import { ask, connect, postmasterOf } from './postgres.ts';
import { freePort, openFolder, removeFolder, run, type Run, untilServing } from './process.ts';

/** The process is told to stop, or is not asked. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let service: Faulty;
let asks: Asks;
let ada: Customer;
/** The job that each key of these tests was answered. */
const made = new Map<string, string>();
beforeAll(async () => {
  service = await createFaultyService();
  asks = asksTo(service.url);
  ada = await demoCustomer(service);
});
afterAll(async () => {
  asks.close();
  await service.close();
});

/** One that ended and was not yet reaped does not run. */
const runs = (pid: number | null) => pid !== null && isAlive(pid);

/** A connection that stays open: what comes back on it, answer after answer. */
async function keepAlive(url: string) {
  const { hostname, port } = new URL(url);
  const socket: Socket = dial(Number(port), hostname);
  await once(socket, 'connect');
  let got = '';
  socket.setEncoding('utf8').on('data', (part: string) => (got += part));
  socket.on('error', () => {});
  return {
    got: () => got,
    get: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
    closed: once(socket, 'close'),
  };
}

/** A connection that keeps jobs of the account waiting until it rolls back or ends. */
async function lockAccount({ folder }: Faulty, { person }: Customer) {
  const outside = await connect(folder);
  await outside.query('begin');
  await outside.query('select from account_counters where account_id = $1 for update', [person.accountId]);
  return outside;
}

/** Until a request of the service waits for a lock. */
const untilOneWaits = ({ folder }: Faulty) =>
  vi.waitFor(
    async () =>
      expect(await ask(folder, `select from pg_stat_activity where wait_event_type = 'Lock'`)).toHaveLength(1),
    { timeout: 90_000 },
  );

/** Until a new connection is refused: the service has read the first signal. */
const untilItRefuses = ({ url }: Faulty) =>
  vi.waitFor(async () => expect(await fetch(`${url}/healthz`).catch(() => 'refused')).toBe('refused'), {
    timeout: 90_000,
    interval: 10,
  });

test('SIGTERM: running requests finish, open connections close, no new one is accepted, Postgres ends last, exit 0', async () => {
  const outside = await lockAccount(service, ada);
  const [probe, idle] = [await keepAlive(service.url), await keepAlive(service.url)];
  for (const one of [probe, idle]) {
    one.get('/readyz');
    await vi.waitFor(() => expect(one.got()).toContain('{"status":"ready"}'), { timeout: 90_000 });
  }
  const postmaster = postmasterOf(service.folder);
  const slow = asks('POST', '/api/v1/jobs', { as: ada.key, key: 'in-flight', body: draft });
  await untilOneWaits(service);
  const exit = once(service.run.child, 'exit');
  service.run.child.kill('SIGTERM');
  await untilItRefuses(service);
  probe.get('/readyz');
  await probe.closed;
  expect(probe.got().split('HTTP/1.1 ')[2]).toMatch(/^503 [^]*connection: close[^]*is stopping/i);
  await wait(300);
  await outside.query('rollback');
  await outside.end();
  expect((await slow).status).toBe(201);
  made.set('in-flight', (await slow).body.job.id);
  expect(await exit, 'within its deadline').toEqual([0, null]);
  await idle.closed;
  expect(runs(postmaster)).toBe(false);
  await service.restart();
  await expectBooksToAgree(service, ada, made);
});

test('a second signal ends it at once, unless it comes with the first, as npm passes one on', async () => {
  const service = await createFaultyService();
  onTestFinished(() => service.close());
  const asks = asksTo(service.url);
  onTestFinished(() => asks.close());
  const ada = await demoCustomer(service);
  const create = () => asks('POST', '/api/v1/jobs', { as: ada.key, key: 'cut-off', body: draft });
  const outside = await lockAccount(service, ada);
  onTestFinished(() => outside.end());
  void create();
  await untilOneWaits(service);
  const { child } = service.run;
  const exit = once(child, 'exit');
  // Two signals of one kind could become one before they are read.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) child.kill(signal);
  await untilItRefuses(service);
  await wait(1_500);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  const told = performance.now();
  child.kill('SIGTERM');
  expect(await exit).toEqual([1, null]);
  expect(performance.now() - told).toBeLessThan(3_000 + slack()); // not the deadline of ten seconds
  await service.restart();
  await vi.waitFor(async () => expect((await create()).status).toBe(201), { timeout: 90_000 });
  await expectBooksToAgree(service, ada, new Map([['cut-off', (await create()).body.job.id]]));
});

test('Ctrl-C under node --watch, which passes it on to the service that has it already: Postgres ends too', async () => {
  const folder = await openFolder();
  const port = String(await freePort());
  const dev = run({ DATA_DIR: folder, PORT: port }, { watched: true });
  const group = -(dev.child.pid ?? 0);
  onTestFinished(async () => {
    if (dev.child.exitCode === null) process.kill(group, 'SIGKILL');
    await removeFolder(folder);
  });
  await untilServing(`http://127.0.0.1:${port}`, dev);
  const postmaster = postmasterOf(folder);
  process.kill(group, 'SIGINT');
  expect(await dev.ended, dev.said()).toBe(0);
  expect(runs(postmaster)).toBe(false);
});

test('SIGTERM at any moment of the start: it ends within its deadline, and no Postgres is left behind', async () => {
  const folder = await openFolder();
  onTestFinished(async () => {
    starting.child.kill('SIGKILL');
    await removeFolder(folder);
  });
  const has = (path: string) => existsSync(join(folder, path));
  const moments = [
    () => has('postgres'), // its cluster is made
    () => has('postgres/cluster/postmaster.pid'),
    () => starting.said().includes('listening'),
  ];
  let starting: Run;
  for (const moment of moments) {
    starting = run({ DATA_DIR: folder, PORT: String(await freePort()) });
    await vi.waitFor(() => expect(moment()).toBe(true), { timeout: 90_000, interval: 5 });
    starting.child.kill('SIGTERM');
    expect(await starting.ended, starting.said()).toBe(0); // 1 after its deadline
    expect([runs(postmasterOf(folder)), starting.said()]).toEqual([
      false,
      expect.not.stringContaining('did not start'),
    ]);
  }
});

test('kill -9 of the service again and again: it serves again, and has every job that it acknowledged', async () => {
  const load = createUntilStopped(asks, ada.key, 8, made);
  onTestFinished(() => load.stop());
  for (let n = 0; n < 5; n++) {
    await wait(300 + Math.random() * 700);
    await service.restart();
  }
  await wait(200);
  await load.stop();
  expect(load.torn).toEqual([]);
  await expectBooksToAgree(service, ada, made);
});
