import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Atelier } from '../../client/atelier.ts';
import { createUntilStopped } from '../faults/creates.ts';
import { firstGood, repeat, slack, tally, wrongs } from '../faults/load.ts';
import { openFolder, removeFolder } from '../faults/process.ts';
import { draft } from '../support/jobs.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startBalancer } from './balancer.ts';
import { expectBooksToAgree, expectNoneLost } from './nothing-lost.ts';
import { PostgresPair } from './postgres-pair.ts';

/** What callers see while a synchronous standby takes over under creates: 503 for a while, and never a lost job. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let pair: PostgresPair;
let files: string;
/** The processes of an installation have one storage. */
const storage = () => ({ STORAGE_URL: `file:${files}` });
beforeAll(async () => {
  files = await openFolder();
  pair = await PostgresPair.start();
});
afterAll(async () => {
  await pair.stop();
  await removeFolder(files);
});

/** A script as customers write it: it creates one job after the other, and has no word about failures. */
function runScript({ url, key }: ServiceProcess) {
  const atelier = new Atelier({ url, token: key });
  const ids: string[] = [];
  let going = true;
  const ended = (async () => {
    while (going) ids.push((await atelier.createJob({ body: { ...draft, service_family: 'design' } })).job.id);
  })();
  ended.catch(() => {});
  return {
    ids,
    async stop() {
      going = false;
      await ended;
    },
  };
}

/** Promotes the standby under creates. Answers the milliseconds from the promotion to the first job. */
async function failOver(service: ServiceProcess, name: 'SIGKILL' | 'SIGSTOP', gap = 2_000): Promise<number> {
  const creates = createUntilStopped(service.asks, service.key, 8);
  const script = runScript(service);
  await expect.poll(() => creates.made.size).toBeGreaterThan(50);
  pair.signalPrimary(name);
  await sleep(gap);
  const { began, old } = await pair.promote();
  await expect.poll(() => firstGood(creates.outcomes, began)).toBeLessThan(Infinity);
  const acknowledged = script.ids.length;
  await expect.poll(() => script.ids.length).toBeGreaterThan(acknowledged + 3);
  await script.stop();
  await creates.stop();
  // The connections without a tag listen for events and look after the standby.
  const untagged = `select from pg_stat_activity where application_name ~ '^atelier \\S+$'`;
  await expect.poll(async () => (await pair.ask(pair.primaryPort, untagged)).length).toBe(2);
  old.signal('SIGKILL');
  await old.ended;

  const ids = await expectNoneLost(pair, creates);
  expect(ids).toEqual(expect.arrayContaining(script.ids));
  expect(new Set(script.ids).size).toBe(script.ids.length);
  await expectBooksToAgree({ DATA_DIR: service.folder, ...storage(), DATABASE_URL: pair.urlOfBoth() });
  const ms = firstGood(creates.outcomes, began);
  process.stdout.write(
    `${name}: first job ${Math.round(ms)} ms after the promotion, ${creates.made.size} + ${script.ids.length} acknowledged, ${JSON.stringify(tally(creates.outcomes))}\n`,
  );
  return ms;
}

describe('with both servers in DATABASE_URL', () => {
  let service: ServiceProcess;
  beforeAll(
    async () =>
      void (service = await startServiceProcess({ DATABASE_URL: pair.urlOfBoth(), ...storage() }, pair.url())),
  );
  afterAll(() => service.stop());

  const open = async (): Promise<number> => {
    const statement = `select count(*)::int as open from pg_stat_activity where usename = 'atelier'`;
    return (await pair.ask(pair.primaryPort, statement))[0].open;
  };

  test('a standby that is gone is told once, holds no further connection and no read, and writes go on again', async () => {
    const lines = (words: string) => service.run.said().split(words).length - 1;
    const creates = createUntilStopped(service.asks, service.key, 8);
    await expect.poll(() => creates.made.size).toBeGreaterThan(10);
    const most = Number(/opens at most (\d+) connections/.exec(service.run.said())?.[1]);
    pair.signalStandby('SIGSTOP');
    await expect.poll(() => lines('"msg":"writes wait for a synchronous standby')).toBe(1);
    const reads = repeat(2, () => service.asks('GET', '/api/v1/jobs?limit=5', { as: service.key }), 100);
    const counts: number[] = [];
    for (const until = performance.now() + 12_000; performance.now() < until; await sleep(100))
      counts.push(await open());
    expect(Math.max(...counts)).toBeLessThanOrEqual(most);
    const answers = await reads.stop();
    expect(tally(answers)).toEqual({ 200: answers.length });
    pair.signalStandby('SIGCONT');
    await expect.poll(() => lines('"msg":"writes no longer wait for a synchronous standby')).toBe(1);
    await creates.stop();
    expect(lines('"msg":"writes wait for a synchronous standby')).toBe(1);
    expect(wrongs(creates.outcomes)).toEqual([]);
  });

  test('a killed primary costs no acknowledged job and no error of the client', async () => {
    // Longer than a few repetitions take.
    expect(await failOver(service, 'SIGKILL', 10_000)).toBeLessThan(5_000 + slack());
  });

  test('so does a frozen one, whose connections stay open', async () => {
    await pair.attachStandby();
    expect(await failOver(service, 'SIGSTOP')).toBeLessThan(5_000 + slack());
  });
});

test('behind a balancer a killed primary costs no acknowledged job and no error of the client', async () => {
  await pair.attachStandby();
  const balancer = await startBalancer(pair);
  const service = await startServiceProcess({ DATABASE_URL: pair.url(balancer.port), ...storage() }, pair.url());
  expect(await failOver(service, 'SIGKILL')).toBeLessThan(5_000 + slack());
  await service.stop();
  await balancer.stop();
});
