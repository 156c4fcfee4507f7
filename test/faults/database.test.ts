import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createUntilStopped } from './creates.ts';
import { type Customer, demoCustomer, expectBooksToAgree, type Faulty, createFaultyService } from './faulty-service.ts';
import { type Asks, asksTo, firstGood, msOf, type Outcome, quantile, repeat, slack, tally, wrongs } from './load.ts';
import { ask, connect, signalPostgres } from './postgres.ts';

/** What callers see while the database is frozen, killed, or cuts its connections: a 503 in time, and never a lost job. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let service: Faulty;
let asks: Asks;
let ada: Customer;
let pid: number | undefined;
/** The job that each key of these tests was answered. */
const made = new Map<string, string>();
beforeAll(async () => {
  service = await createFaultyService();
  asks = asksTo(service.url);
  ada = await demoCustomer(service);
  pid = service.run.child.pid;
});
afterAll(async () => {
  asks.close();
  await service.close();
});

afterEach(() => {
  const { child } = service.run;
  expect([child.pid, child.exitCode, child.signalCode], service.run.said().slice(-2_000)).toEqual([pid, null, null]);
});

/** What people and agents do all the time, and what watches the service. */
function beginLoad() {
  const { key, person } = ada;
  const { email, password } = person;
  const creates = createUntilStopped(asks, key, 8, made);
  const reads = repeat(4, () => asks('GET', '/api/v1/jobs?limit=5', { as: key }));
  const people = repeat(2, () => asks('GET', '/api/v1/me', { as: person.token }));
  const signIns = repeat(1, () => asks('POST', '/api/auth/sign-in/email', { body: { email, password } }), 200);
  const health = repeat(1, () => asks('GET', '/healthz'));
  const ready = repeat(1, () => asks('GET', '/readyz'), 100);
  const parts = [creates, reads, people, signIns, ready];
  return {
    creates,
    health: health.outcomes,
    ready: ready.outcomes,
    /** All that needs the database. */
    answers: () => parts.flatMap(({ outcomes }) => outcomes),
    stop: async () => void (await Promise.all([...parts, health].map((part) => part.stop()))),
  };
}
type Load = ReturnType<typeof beginLoad>;

async function expectNothingWrong({ answers, health, creates }: Load): Promise<void> {
  expect(wrongs(answers())).toEqual([]);
  expect(tally(health)).toEqual({ 200: health.length });
  expect(creates.torn).toEqual([]);
  await expectBooksToAgree(service, ada, made);
}

test('a frozen database: a 503 within five seconds each, a quick /healthz, work within two seconds of its waking', async () => {
  const load = beginLoad();
  await wait(1_500);
  const calm = quantile(msOf(load.health), 0.99);
  const plain = await connect(service.folder);
  const frozen = performance.now();
  signalPostgres(service.folder, 'SIGSTOP');
  let plainWaits = true;
  const plainly = plain.query('select').finally(() => (plainWaits = false));
  await wait(7_500);
  const metrics = await asks('GET', '/metrics');
  const woken = performance.now();
  signalPostgres(service.folder, 'SIGCONT');
  // The control: a connection without our limits is still waiting.
  expect(plainWaits).toBe(true);
  await plainly;
  await plain.end();
  await wait(1_000);
  await load.stop();

  await expectNothingWrong(load);
  const during = ({ began }: Outcome) => began > frozen + 100 && began < woken - 100;
  expect(Math.max(...msOf(load.answers()))).toBeLessThan(5_000 + slack());
  expect(quantile(msOf(load.health.filter(during)), 0.99)).toBeLessThan(Math.max(250, 5 * calm) + slack());
  expect([metrics.status, metrics.ms < 1_000 + slack()]).toEqual([200, true]);
  // What the last look saw counts for three seconds.
  const unready = load.ready.filter((one) => during(one) && one.began > frozen + 3_500 && one.began + one.ms < woken);
  expect(unready.length).toBeGreaterThan(0);
  expect(tally(unready)).toEqual({ '503 service_unavailable': unready.length });
  // Waiting for a connection is bounded by time, so that the line does not grow.
  expect(Number(/connections\{state="waiting"\} (\d+)/.exec(metrics.body)?.[1])).toBeLessThan(40);
  for (const outcomes of [load.creates.outcomes, load.ready])
    expect(firstGood(outcomes, woken)).toBeLessThan(2_000 + slack());
});

/** The most seconds by which a task that runs often was late, as far as Postgres answered. */
function watchTasks(): { stop(): Promise<number> } {
  let worst = 0;
  let stopped = false;
  const look = async () => {
    for (; !stopped; await wait(500)) {
      const [row] = await ask(
        service.folder,
        `select max(extract(epoch from now() - succeeded_at) - every_seconds)::float8 as late
         from task_runs where every_seconds <= 60`,
      ).catch(() => []);
      worst = Math.max(worst, Number(row?.late ?? 0));
    }
  };
  const looking = look();
  return {
    async stop() {
      stopped = true;
      await looking;
      return worst;
    },
  };
}

test('Postgres killed or stopped twenty times: work goes on within three seconds, tasks within a minute, no job is lost', async () => {
  const load = beginLoad();
  const tasks = watchTasks();
  for (let n = 0; n < 20; n++) {
    await wait(700 + Math.random() * 600);
    signalPostgres(service.folder, n % 2 ? 'SIGINT' : 'SIGKILL');
    const again = () =>
      ask(service.folder, 'select 1').then(
        () => true,
        () => false,
      );
    await expect.poll(again, { timeout: 90_000, interval: 50 }).toBe(true);
    const back = performance.now();
    await expect.poll(() => firstGood(load.creates.outcomes, back)).toBeLessThan(3_000 + slack());
  }
  await wait(3_000);
  const late = await tasks.stop();
  process.stdout.write(`Postgres ended 20 times: a task was late by at most ${late.toFixed(1)} s\n`);
  expect(late).toBeLessThan(60);
  await load.stop();
  await expectNothingWrong(load);
});

test('connections cut every 300 ms: nothing but answers and 503, and the books agree', async () => {
  // The control: a process that does as the library does by default.
  const script = `const client = new (require('pg').Client)(process.argv[1]); client.connect().then(() => client.query('listen x'))`;
  const plain = spawn(process.execPath, ['-e', script, service.databaseUrl], { stdio: 'ignore' });
  const died = once(plain, 'exit');
  const load = beginLoad();
  await wait(1_000);
  for (let n = 0; n < 15; n++) {
    await wait(300);
    await ask(service.folder, `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'atelier'`);
  }
  await load.stop();
  await expectNothingWrong(load);
  expect(await died).toEqual([1, null]);
});

test('the control of all of these: a job that is not there, and one too many, are found', async () => {
  const agree = (jobs: Map<string, string>) => expectBooksToAgree(service, ada, jobs);
  const [key, id] = [...made][0] ?? ['', ''];
  await agree(made);
  await expect(agree(new Map([...made, ['lost', 'job_x']]))).rejects.toThrow();
  await expect(agree(new Map([...made].filter(([one]) => one !== key)))).rejects.toThrow();
  await expect(agree(new Map([...made, [[...made.keys()][1] ?? '', id]]))).rejects.toThrow();
  await ask(service.folder, `update account_counters set active_jobs = active_jobs + 1 where account_id = $1`, [
    ada.person.accountId,
  ]);
  await expect(agree(made)).rejects.toThrow();
});
