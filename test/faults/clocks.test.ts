import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import {
  bytesOf,
  complete,
  newFile,
  openTestStorage,
  presign,
  put,
  reachable,
  type TestStorage,
} from '../support/files.ts';
import { callsTo, environment, createService, type Service } from '../support/harness.ts';
import { createJob, draft, newCustomer, createStudio, post, setPlan, type Studio } from '../support/jobs.ts';
import { signIn, signUp } from '../support/people.ts';
import { seconds, sendEvent, subscriptionEvent } from '../support/plans.ts';
import { heartbeat, leasedJob, makeWorker, runOut } from '../support/workers.ts';

/** What is decided by time is decided by the clock of the database, whatever the clocks of the processes show. */

const bytes = Buffer.from('some bytes');
let storage: TestStorage;
let studio: Studio;
let service: Service;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio(storage.env);
  service = studio.service;
});
afterAll(async () => {
  await service?.close();
  await storage?.close();
});

const ask = async (at: Service, as: string) => (await at.call('GET', '/api/v1/me', { as })).status;
const download = async (at: Service, id: string): Promise<string> =>
  (await post(at, studio.key, `/api/v1/files/${id}/download`)).body.download.url;
const minutes = (n: number) => sql<Date>`now() + make_interval(mins => ${n}::int)`;

describe.each([5, -5])('two processes, of which one is %i minutes off', (skew) => {
  /** The process whose clock is right, and the other one. */
  let both: [Service, Service];
  let end: () => Promise<unknown>;
  beforeAll(async () => {
    const script = (name: string) => join(import.meta.dirname, '../support', name);
    // The control of the figure puts another program in its place.
    const program = process.env.SECOND_PROCESS ?? script('second-process.ts');
    const child = spawn(process.execPath, ['--import', script('skewed-clock.ts'), program], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...environment,
        ...storage.env,
        DATABASE_URL: service.databaseUrl,
        SKEW_SECONDS: String(skew * 60),
      },
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = line.toString().trim();
    both = [service, { ...service, url, call: callsTo(url) }];
    end = async () => {
      child.stdin.end();
      await once(child, 'exit');
    };
  });
  afterAll(() => end());
  /** What each of the two answers. */
  const each = <Answer>(asked: (at: Service) => Promise<Answer>) => Promise.all(both.map(asked));

  test('a URL that one signed, the other takes, and both say when it expires', async () => {
    for (const [one, other] of [both, both.toReversed() as typeof both]) {
      const { body } = await presign(one, studio.key, bytes);
      expect((await put(other, body.upload, bytes)).status).toBe(200);
      expect((await complete(other, studio.key, body.file.id)).status).toBe(200);
      const url = await download(one, body.file.id);
      expect(await bytesOf(await fetch(reachable(other, url)))).toEqual(bytes);
    }
    const { id } = await newFile(service, studio.key, bytes);
    const [first, second] = await each(async (at) => {
      const answer = await post(at, studio.key, `/api/v1/files/${id}/download`);
      return Date.parse(answer.body.download.expires_at);
    });
    expect(Math.abs(first! - second!)).toBeLessThan(10_000);
  });

  test('a session that has two minutes left, or ended two minutes ago, and one that was begun at the other', async () => {
    for (const [left, status] of [
      [2, 200],
      [-2, 401],
    ] as const) {
      const { token, sessionId } = await signUp(service);
      const { db } = service.context;
      await db
        .updateTable('sessions')
        .set({ expires_at: minutes(left) })
        .where('id', '=', sessionId)
        .execute();
      expect(await each((at) => ask(at, token))).toEqual([status, status]);
    }
    const { email } = await signUp(both[1]);
    expect(await each(async (at) => ask(both[0], (await signIn(at, email)).token))).toEqual([200, 200]);
  });

  test('the expiry of a new API key, and a key that has two minutes left', async () => {
    const { person } = await newCustomer(service);
    const at = (left: number) => new Date(Date.now() + left * 60_000).toISOString();
    const make = (left: number) => (one: Service) =>
      post(one, person.token, '/api/v1/api-keys', { name: 'short', expires_at: at(left) });
    expect((await each(make(-2))).map(({ status }) => status)).toEqual([422, 422]);
    const made = await each(make(2));
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    for (const { body } of made) expect(await each((one) => ask(one, body.plaintext_key))).toEqual([200, 200]);
  });

  test('a lease that one gave, the other extends, until it ends', async () => {
    const worker = await makeWorker(studio);
    for (const one of both) {
      const at = { ...studio, service: one };
      const { id, token } = await leasedJob(at, worker);
      const beat = (other: Service) => heartbeat({ ...studio, service: other }, worker, id, token);
      expect((await each(beat)).map(({ status }) => status)).toEqual([200, 200]);
      await runOut(at, id);
      expect((await each(beat)).map(({ status }) => status)).toEqual([409, 409]);
    }
  });

  test('a plan that is past due and paid for two minutes more, or was until two minutes ago', async () => {
    for (const [left, status] of [
      [2, 201],
      [-2, 403],
    ] as const) {
      const { person, key } = await newCustomer(service, 'agent');
      await setPlan(service, person, 'agent', { status: 'past_due', endsIn: left / 60 });
      expect((await each((at) => createJob(at, key))).map((answer) => answer.status)).toEqual([status, status]);
    }
  });

  test('a sandbox checkout that is open for two minutes more, or was until two minutes ago', async () => {
    await verifyPrices(service.context);
    const { token } = await signUp(service);
    const { body } = await post(service, token, '/api/checkout/tier', { plan_code: 'solo' });
    const { pathname } = new URL(body.checkout.url);
    for (const [left, status] of [
      [-2, 404],
      [2, 200],
    ] as const) {
      const { db } = service.context;
      await db
        .updateTable('checkouts')
        .set({ expires_at: minutes(left) })
        .where('id', '=', body.checkout.id)
        .execute();
      expect(await each(async (at) => (await fetch(at.url + pathname)).status)).toEqual([status, status]);
    }
    expect((await fetch(`${both[1].url}${pathname}/pay`, { method: 'POST', redirect: 'manual' })).status).toBe(303);
    const { body: held } = await service.call('GET', '/api/v1/entitlements', { as: token });
    const [{ period }] = held.entitlements;
    expect(Math.abs(Date.parse(period.start) - Date.now())).toBeLessThan(60_000);
  });
});

describe.each([1, -1])('the clock of the process jumps by %i h', (hours) => {
  afterEach(() => vi.useRealTimers());
  const jump = () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 });
  };

  test('what was given before holds after it', async () => {
    const { token } = await signUp(service);
    const { body } = await presign(service, studio.key, bytes);
    const worker = await makeWorker(studio);
    const lease = await leasedJob(studio, worker);
    const { id } = await newFile(service, studio.key, bytes);
    const url = await download(service, id);
    jump();
    expect(await ask(service, token)).toBe(200);
    expect((await put(service, body.upload, bytes)).status).toBe(200);
    expect((await fetch(reachable(service, url))).status).toBe(200);
    expect((await heartbeat(studio, worker, lease.id, lease.token)).status).toBe(200);
  });

  test('a rate tells no more to wait than its window, no less than a second, and preflight tells the same', async () => {
    const limited = await createService({ RATE_CREATE_JOB: 'key=2/60' }, { databaseUrl: service.databaseUrl });
    const { key } = await newCustomer(service, 'agent');
    const create = () => createJob(limited, key);
    const foretold = async () => {
      const { body } = await post(limited, key, '/api/v1/jobs/preflight', draft);
      return body.preflight.blocking_reasons.map(({ code }: { code: string }) => code);
    };
    for (let n = 0; n < 3; n++) await create();
    jump();
    expect((await foretold()).includes('rate_limit_exceeded')).toBe((await create()).status === 429);
    await create();
    const { status, body, headers } = await create();
    expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded']);
    for (const wait of [headers.get('retry-after'), /"key";r=0;t=(.+)/.exec(headers.get('ratelimit') ?? '')?.[1]]) {
      expect(Number(wait)).toBeGreaterThan(0);
      expect(Number(wait)).toBeLessThanOrEqual(60);
    }
    await limited.close();
  });

  test('the signature of an event is refused, and taken once the clock is right again', async () => {
    const nobody = { accountId: studio.ada.accountId, customer: 'cus_nobody', subscription: 'sub_nobody' };
    const event = subscriptionEvent(service, nobody, 'agent');
    const at = seconds(Date.now());
    jump();
    expect((await sendEvent(service, event, { at })).status).toBe(400);
    vi.useRealTimers();
    expect((await sendEvent(service, event, { at })).body.status).toBe('ignored');
  });
});
