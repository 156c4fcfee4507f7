import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createUntilStopped } from './creates.ts';
import { type Customer, demoCustomer, expectBooksToAgree, type Faulty, openFaulty } from './house.ts';
import { type Asks, asksTo, firstGood, msOf, type Outcome, quantile, repeat, tally, wrongs } from './load.ts';
import { ask, signalPostgres } from './postgres.ts';

/** What callers see while the database is frozen, killed, or cuts its connections: a 503 in time, and never a lost job. */

let service: Faulty;
let asks: Asks;
let ada: Customer;
let pid: number | undefined;
/** The job that each key of these tests was answered. */
const made = new Map<string, string>();
beforeAll(async () => {
  service = await openFaulty();
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

test('a frozen database: a 503 within six seconds each, a quick /healthz, work within two seconds of its waking', async () => {
  const load = beginLoad();
  await wait(1_500);
  const calm = quantile(msOf(load.health), 0.99);
  const frozen = performance.now();
  signalPostgres(service.folder, 'SIGSTOP');
  await wait(8_000);
  const metrics = await asks('GET', '/metrics');
  const woken = performance.now();
  signalPostgres(service.folder, 'SIGCONT');
  await wait(1_500);
  await load.stop();

  await expectNothingWrong(load);
  const during = ({ began }: Outcome) => began > frozen + 100 && began < woken - 100;
  expect(Math.max(...msOf(load.answers()))).toBeLessThan(6_000);
  expect(quantile(msOf(load.health.filter(during)), 0.99)).toBeLessThan(Math.max(250, 5 * calm));
  expect([metrics.status, metrics.ms < 1_000]).toEqual([200, true]);
  const unready = load.ready.filter((one) => during(one) && one.began + one.ms < woken);
  expect(tally(unready)).toEqual({ '503 service_unavailable': unready.length });
  // Waiting is bounded by time, so no more stand in line than ask in a moment.
  expect(Number(/connections\{state="waiting"\} (\d+)/.exec(metrics.body)?.[1])).toBeLessThanOrEqual(17);
  for (const outcomes of [load.creates.outcomes, load.ready]) expect(firstGood(outcomes, woken)).toBeLessThan(2_000);
});

test('Postgres killed again and again: the service starts it, goes on within three seconds, and has every job', async () => {
  const load = beginLoad();
  for (let n = 0; n < 3; n++) {
    await wait(700 + Math.random() * 600);
    signalPostgres(service.folder, 'SIGKILL');
    const killed = performance.now();
    const again = () =>
      ask(service.folder, 'select 1').then(
        () => true,
        () => false,
      );
    await expect.poll(again, { timeout: 10_000, interval: 50 }).toBe(true);
    const back = performance.now();
    await expect.poll(() => firstGood(load.creates.outcomes, back), { timeout: 5_000 }).toBeLessThan(3_000);
  }
  await load.stop();
  for (const line of new Set(
    service.run
      .said()
      .split('\n')
      .filter((l) => l.includes('internal_error'))
      .map((l) => {
        const e = JSON.parse(l);
        return e.err.code + ' ' + e.err.message + ' ' + e.err.stack.slice(0, 700);
      }),
  ))
  await expectNothingWrong(load);
});

test('connections cut every 300 ms: nothing but answers and 503, and the books agree', async () => {
  const load = beginLoad();
  for (let n = 0; n < 15; n++) {
    await wait(300);
    await ask(service.folder, `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'atelier'`);
  }
  await load.stop();
  await expectNothingWrong(load);
});
