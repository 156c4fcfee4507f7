import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { draft } from '../support/jobs.ts';
import { createUntilStopped } from './creates.ts';
import {
  type Customer,
  demoCustomer,
  expectBooksToAgree,
  type Faulty,
  newCustomer,
  createFaultyService,
} from './faulty-service.ts';
import { type Asks, asksTo, firstGood, msOf, type Outcome, repeat, slack, tally, wrongs } from './load.ts';
import { ask, connect } from './postgres.ts';
import { freePort, run, untilServing } from './process.ts';

/** A transaction outside the service holds a row, and the pool is small. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let service: Faulty;
let asks: Asks;
let ada: Customer;
let bob: Customer;
beforeAll(async () => {
  service = await createFaultyService({ DATABASE_POOL: '5' });
  asks = asksTo(service.url);
  ada = await demoCustomer(service);
  bob = await newCustomer(service);
});
afterAll(async () => {
  asks.close();
  await service.close();
});

test('a locked account keeps nobody else from creating and reading, and goes on within two seconds of its release', async () => {
  const outside = await connect(service.folder);
  const hot = createUntilStopped(asks, ada.key, 30);
  const others = createUntilStopped(asks, bob.key, 4);
  const reads = repeat(4, () => asks('GET', '/api/v1/jobs?limit=5', { as: bob.key }));
  await wait(500);
  await outside.query('begin');
  await outside.query('select from account_counters where account_id = $1 for update', [ada.person.accountId]);
  const locked = performance.now();
  await wait(6_000);
  await outside.query('rollback');
  const freed = performance.now();
  await wait(1_000);
  await Promise.all([hot, others, reads].map((load) => load.stop()));
  await outside.end();

  const during = ({ began, ms }: Outcome) => began > locked && began + ms < freed;
  const all = [hot, others, reads].flatMap(({ outcomes }) => outcomes);
  expect(wrongs(all)).toEqual([]);
  expect(Math.max(...msOf(all))).toBeLessThan(6_000 + slack());
  for (const { outcomes } of [others, reads]) {
    const meanwhile = outcomes.filter(during);
    expect(meanwhile.filter(({ status }) => status === 503).length).toBeLessThan(meanwhile.length / 10);
    expect(meanwhile.length).toBeGreaterThan(20);
  }
  expect(tally(hot.outcomes.filter(during))).not.toHaveProperty('201');
  expect(firstGood(hot.outcomes, freed)).toBeLessThan(2_000 + slack());
  await expectBooksToAgree(service, ada, hot.made);
  await expectBooksToAgree(service, bob, others.made);
});

test('many moves on a locked account: each is answered in time, and so is everybody else', async () => {
  const jobs = await Promise.all(
    Array.from({ length: 20 }, () => asks('POST', '/api/v1/jobs', { as: ada.key, body: draft })),
  );
  const outside = await connect(service.folder);
  await outside.query('begin');
  await outside.query('select from account_counters where account_id = $1 for update', [ada.person.accountId]);
  const reads = repeat(4, () => asks('GET', '/api/v1/jobs?limit=5', { as: bob.key }));
  const cancel = (one: Outcome) => asks('POST', `/api/v1/jobs/${one.body.job.id}/cancel`, { as: ada.key });
  const refused = await Promise.all(jobs.map(cancel));
  await outside.query('rollback');
  await outside.end();
  const freed = performance.now();
  await wait(300);
  await reads.stop();
  const canceled = await Promise.all(jobs.map(cancel));

  expect(tally(refused)).toEqual({ '503 service_unavailable': 20 });
  expect(wrongs([...refused, ...reads.outcomes])).toEqual([]);
  expect(Math.max(...msOf([...refused, ...reads.outcomes]))).toBeLessThan(6_000 + slack());
  expect(firstGood(reads.outcomes, freed)).toBeLessThan(2_000 + slack());
  expect(tally(canceled)).toEqual({ 200: 20 });
});

test('a database that takes no writes: 503 for what writes, 200 for what reads, and writes again without a restart', async () => {
  // Each is waited for: a connection that dies a moment later would fail a read of the round that counts.
  const cut = `select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = 'atelier'`;
  const { email, password } = bob.person;
  await ask(service.folder, 'alter database atelier set default_transaction_read_only = on');
  await ask(service.folder, cut);
  const create = () => asks('POST', '/api/v1/jobs', { as: bob.key, body: draft });
  const reads = () => [
    ...['/api/v1/jobs', '/api/v1/usage', '/api/v1/entitlements'].map((path) => asks('GET', path, { as: bob.key })),
    asks('GET', '/api/v1/me', { as: bob.person.token }),
  ];
  const writes = () => [
    create(),
    asks('POST', '/api/auth/sign-in/email', { body: { email, password } }),
    asks('POST', '/api/v1/api-keys', { as: bob.person.token, body: { name: 'x' } }),
    asks('POST', '/api/v1/files/presign', {
      as: bob.key,
      body: { purpose: 'job_reference', file_name: 'a.txt', content_type: 'text/plain', size_bytes: 3 },
    }),
  ];
  await asks('GET', '/api/v1/jobs', { as: bob.key }); // what was cut is noticed
  const [read, written] = [await Promise.all(reads()), await Promise.all(writes())];
  // Nothing is cut this time: a connection that refused a write was closed by the service itself.
  await ask(service.folder, 'alter database atelier reset default_transaction_read_only');
  await vi.waitFor(async () => expect((await create()).status).toBe(201), { timeout: 90_000 });
  expect(wrongs([...read, ...written])).toEqual([]);
  expect(tally(read)).toEqual({ 200: read.length });
  expect(tally(written)).toEqual({ '503 service_unavailable': written.length });
});

test('a process that starts while another migrates waits for it, however long that takes', async () => {
  const outside = await connect(service.folder);
  // The lock of the migrations; its number is the library's.
  await outside.query('select pg_advisory_lock(3853314791062309107)');
  const port = String(await freePort());
  const second = run({ DATABASE_URL: service.databaseUrl, DATA_DIR: service.folder, PORT: port });
  onTestFinished(() => void second.child.kill('SIGKILL'));
  await wait(4_500);
  expect([second.child.exitCode, second.child.signalCode], second.said()).toEqual([null, null]);
  await outside.end();
  await untilServing(`http://127.0.0.1:${port}`, second);
  second.child.kill('SIGTERM');
  expect(await second.ended, second.said()).toBe(0);
});

test('no task runs in a process in production: not ready, its queue is opened anew twice, and it ends with the reason', async () => {
  const outside = await connect(service.folder);
  await outside.query('begin; lock table task_runs');
  const url = `http://localhost:${await freePort()}`;
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.folder,
    PORT: new URL(url).port,
    PUBLIC_URL: url,
    LOG_LEVEL: 'info',
    SMTP_URL: 'smtp://127.0.0.1:9',
    STRIPE_SECRET_KEY: 'sk_test_none',
    STRIPE_API_URL: 'http://127.0.0.1:9',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijklmnopqrstuv',
  };
  const program = ['--import', './test/support/brief-silence.ts', 'server/main.ts'];
  const stuck = run(settings, { program });
  onTestFinished(() => void stuck.child.kill('SIGKILL'));
  await untilServing(url, stuck);
  await vi.waitFor(
    async () => expect(await (await fetch(`${url}/readyz`)).text()).toContain('no scheduled task runs'),
    {
      timeout: 90_000,
      interval: 100,
    },
  );
  expect(await stuck.ended, stuck.said()).toBe(1);
  await outside.end();
  const reason = 'no scheduled task has run for 3 s although the database answers';
  expect(stuck.said().split(`${reason}: not ready, and the queue of tasks is opened anew`)).toHaveLength(3);
  expect(stuck.said()).toMatch(new RegExp(`"level":60,.*"msg":"${reason}: not ready any more, serving on"`));
});
