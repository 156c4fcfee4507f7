import { type ChildProcess, spawn } from 'node:child_process';
import { once as next } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerFault } from '../../test/support/answers.ts';
import { makeKey, signUp, type TestPerson } from '../../test/support/people.ts';
import { environment, sharedService, type Service } from '../../test/support/harness.ts';
import {
  bookFaults,
  insertJobs,
  insertPlan,
  type InsertedPlan,
  openAccount,
  type PlanState,
} from '../../test/support/seed.ts';
import { createDb } from '../db/pool.ts';

const open = {
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'Logo for a neighbourhood bakery',
  customer_instructions: 'A round sign with an ear of rye.',
};
const complete = {
  ...open,
  customer_instructions: [
    'Brand name: Rise Bakery',
    'Target audience: families within two miles',
    'Style preferences: warm, dark green and cream',
    'Where it will be used: shop sign and paper bags',
    'Existing brand assets: none',
  ].join('\n'),
};

let service: Service;
let second: ChildProcess;
/** The addresses of two processes on one database. */
let origins: [string, string];
let people: TestPerson[];

beforeAll(async () => {
  service = await sharedService();
  const script = join(import.meta.dirname, '../../test/support/second-process.ts');
  second = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment, DATABASE_URL: service.databaseUrl },
  });
  const [url] = (await Promise.race([
    next(createInterface(second.stdout!), 'line'),
    next(second, 'exit').then(([code]) => Promise.reject(new Error(`The second process ended with ${code}.`))),
  ])) as [string];
  origins = [service.url, url];
  people = [await signUp(service), await signUp(service), await signUp(service), await signUp(service)];
});

afterAll(async () => {
  second.stdin?.end();
  if (second.exitCode === null) await next(second, 'exit');
  await service.close();
});

type Answer = { status: number; replayed: boolean; text: string; code: string | undefined };

async function create(origin: string, as: string, body: object = open, key?: string): Promise<Answer> {
  const response = await fetch(`${origin}/api/v1/jobs`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const got = JSON.parse(text);
  const ours = origins.includes(origin);
  expect(ours && answerFault('POST', '/api/v1/jobs', response.status, 'application/json', got)).toBe(ours && null);
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  return { status: response.status, replayed, text, code: got.error?.code };
}

/** Answers of each kind, counted: `{ 201: 10, '403 quota_exceeded': 190 }`. */
const tally = (answers: readonly Pick<Answer, 'status' | 'code'>[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status, code }) => (code ? `${status} ${code}` : String(status)))
      .entries()
      .map(([kind, some]) => [kind, some.length]),
  );

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** A new account with one plan that serves sessions and keys. */
async function accountWith(limits: { quota: number; concurrency_limit: number }) {
  const account = await openAccount(service, people[0]!);
  const plan: PlanState = { access_kind: 'both', status: 'active', endsIn: 60, ...limits };
  const inserted = await insertPlan(service.context.db, account.accountId, 'studio', plan);
  return { ...account, plan: inserted, key: await makeKey(service, account) };
}

describe('preflight and create', () => {
  type Account = {
    plans: (PlanState & { ended: number; active: number; before: number })[];
    kind: 'human' | 'agent';
    draft: typeof open;
    creates: number;
  };

  const day = 24 * 60;
  const plan = fc.record({
    access_kind: fc.constantFrom('human', 'agent', 'both'),
    status: fc.constantFrom('active', 'active', 'active', 'past_due', 'paused', 'canceled'),
    quota: fc.nat(4),
    concurrency_limit: fc.nat(5),
    // Around the end of a period and of the 24 hours of grace after it.
    endsIn: fc.constantFrom(30 * day, 60, 45, 1, -1, -60, -day + 1, -day - 1, -10 * day),
    ended: fc.nat(2),
    active: fc.nat(2),
    before: fc.nat(1),
  });
  const account = fc.record({
    plans: fc.array(plan, { maxLength: 3 }),
    kind: fc.constantFrom('human', 'agent'),
    draft: fc.constantFrom(open, complete),
    creates: fc.integer({ min: 1, max: 4 }),
  });

  type Held = InsertedPlan & { used: number };

  /** The admission rule, written a second time without a database. */
  function predict(held: readonly Held[], active: number, { kind, draft }: Account) {
    const usable = held.filter(
      ({ status, endsIn }) => (status === 'active' && endsIn > -day) || (status === 'past_due' && endsIn > 0),
    );
    const serving = usable.filter(({ access_kind }) => access_kind === kind || access_kind === 'both');
    const room = (some: Held) => Math.max(some.quota - some.used, 0);
    const total = (some: readonly Held[], of: (one: Held) => number) => some.reduce((sum, one) => sum + of(one), 0);
    const limit = total(usable, ({ concurrency_limit }) => concurrency_limit);
    const left = total(serving, room);
    const refusals =
      serving.length === 0
        ? ['entitlement_required']
        : [...(left === 0 ? ['quota_exceeded'] : []), ...(active >= limit ? ['concurrency_limit_exceeded'] : [])];
    const roomy = serving.filter((one) => room(one) > 0);
    const first = Math.min(...roomy.map(({ endsIn }) => endsIn));
    return {
      refusals,
      reasons: [...refusals, ...(draft === open ? ['intake_incomplete'] : [])],
      usage: {
        used: total(serving, ({ used }) => used),
        quota: total(serving, ({ quota }) => quota),
        remaining: left,
        unit: 'job',
      },
      concurrency: { active_jobs: active, limit, remaining: Math.max(limit - active, 0), allowed: active < limit },
      payers: roomy.filter(({ endsIn }) => endsIn === first).map(({ code }) => code),
    };
  }

  async function setUp(person: TestPerson, { plans }: Account) {
    const { db } = service.context;
    const { accountId } = await openAccount(service, person);
    const held: Held[] = [];
    for (const [i, { ended, active, before, ...state }] of plans.entries()) {
      const inserted = await insertPlan(db, accountId, `plan_${i}`, state);
      await insertJobs(db, accountId, inserted, [
        ...times(ended, () => ({ status: 'completed' as const })),
        ...times(active, () => ({ status: 'running' as const })),
        ...times(before, () => ({ status: 'needs_review' as const, charged: 'earlier' as const })),
      ]);
      held.push({ ...inserted, used: ended + active });
    }
    return { accountId, held, active: plans.reduce((sum, one) => sum + one.active + one.before, 0) };
  }

  /** Counters that a create increments. */
  const written = async (accountId: string) => {
    const { rows } = await sql<{ counts: number[] }>`
      select array[(select active_jobs from account_counters where account_id = ${accountId}),
        (select count(*) from jobs where account_id = ${accountId}),
        (select count(*) from events where account_id = ${accountId}),
        (select coalesce(sum(quantity), 0) from usage_ledger where account_id = ${accountId}),
        (select coalesce(sum(used), 0) from entitlement_periods where account_id = ${accountId})]::int[] as counts`.execute(
      service.context.db,
    );
    return rows[0]!.counts;
  };

  /**
   * Preflights and creates several times in a row, so that quota runs out and plans take over from each
   * other.
   */
  async function askAndCreate(person: TestPerson, state: Account): Promise<void> {
    const { accountId, held, active } = await setUp(person, state);
    const as = state.kind === 'human' ? person.token : await makeKey(service, person);
    for (let created = 0; created < state.creates; created++) {
      const expected = predict(held, active + created, state);
      const before = await written(accountId);
      const asked = await service.call('POST', '/api/v1/jobs/preflight', { as, body: state.draft });
      expect(asked.status).toBe(200);
      const { preflight } = asked.body;
      const codes = preflight.blocking_reasons.map(({ code }: { code: string }) => code);
      expect(codes).toEqual(expected.reasons);
      expect(preflight).toMatchObject({
        ready_to_create: expected.reasons.length === 0,
        usage: expected.usage,
        concurrency: expected.concurrency,
      });
      expect(await written(accountId)).toEqual(before);

      const answer = await create(service.url, as, state.draft);
      const admitted = codes.every((code: string) => code === 'intake_incomplete');
      expect(answer).toMatchObject(admitted ? { status: 201 } : { status: 403, code: expected.refusals[0] });
      expect(await written(accountId)).toEqual(before.map((count) => count + Number(admitted)));
      expect(await bookFaults(service.context.db, accountId)).toEqual([]);
      if (!admitted) return;
      const { job } = JSON.parse(answer.text);
      const read = await service.call('GET', job.links.self, { as });
      expect(expected.payers).toContain(read.body.job.plan_code);
      held.find(({ code }) => code === read.body.job.plan_code)!.used++;
    }
  }

  test('create succeeds exactly when preflight has no reason but intake_incomplete, and refuses with the first one', async () => {
    const accounts = fc.array(account, { minLength: 1, maxLength: 24, size: 'max' });
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(accounts, async (states) => {
        const groups = people.map((person, group) => ({
          person,
          states: states.filter((_, i) => i % people.length === group),
        }));
        await Promise.all(
          groups.map(async ({ person, states }) => {
            for (const state of states) await askAndCreate(person, state);
          }),
        );
        seen += states.length;
      }),
      { numRuns: 20 },
    );
    expect(seen).toBeGreaterThan(100);
  });
});

/** 200 concurrent creates by session and key, sent to the addresses in turn. */
const burst = (to: readonly string[], as: readonly string[]) =>
  Promise.all(times(200, (i) => create(to[i % to.length]!, as[Math.floor(i / to.length) % as.length]!)));

describe.each([1, 2])('a burst on %i process(es)', (processes) => {
  const to = () => origins.slice(0, processes);

  test('200 concurrent creates with a quota of 10 admit ten jobs', async () => {
    const { token, key, accountId } = await accountWith({ quota: 10, concurrency_limit: 500 });
    expect(tally(await burst(to(), [key, token]))).toEqual({ 201: 10, '403 quota_exceeded': 190 });
    expect(await bookFaults(service.context.db, accountId)).toEqual([]);
  });

  test('200 concurrent creates with three free slots admit three jobs', async () => {
    const { token, key, accountId, plan } = await accountWith({ quota: 500, concurrency_limit: 5 });
    const { db } = service.context;
    await insertJobs(db, accountId, plan, [{ status: 'queued' }, { status: 'running' }, { status: 'completed' }]);
    expect(tally(await burst(to(), [key, token]))).toEqual({ 201: 3, '403 concurrency_limit_exceeded': 197 });
    expect(await bookFaults(db, accountId)).toEqual([]);
  });

  test('50 creates with one Idempotency-Key give one job and 49 replays, also when it is the last one', async () => {
    for (const quota of [1, 50]) {
      const { token, key, accountId } = await accountWith({ quota, concurrency_limit: quota });
      const answers = await Promise.all(
        times(50, (i) => create(to()[i % processes]!, i % 3 === 0 ? token : key, open, 'the-key')),
      );
      expect(tally(answers)).toEqual({ 201: 1, 200: 49 });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers.filter(({ replayed }) => replayed).length).toBe(49);
      expect(await bookFaults(service.context.db, accountId)).toEqual([]);
    }
  });

  test('in a burst each key has one answer and one job or none, and no slot is lost', async () => {
    const bursts = fc.record({
      keys: fc.integer({ min: 1, max: 6 }),
      copies: fc.integer({ min: 1, max: 8 }),
      bodies: fc.integer({ min: 1, max: 2 }),
      quota: fc.nat(6),
      concurrency_limit: fc.nat(6),
    });
    await fc.assert(
      fc.asyncProperty(bursts, async ({ keys, copies, bodies, ...limits }) => {
        const { token, key, accountId } = await accountWith(limits);
        const sent = times(keys * copies, (i) => ({ name: `key-${i % keys}`, copy: Math.floor(i / keys) }));
        const answers = await Promise.all(
          sent.map(async ({ name, copy }) => {
            const body = { ...open, customer_title: `Body ${copy % bodies}` };
            const as = copy % 3 === 0 ? token : key;
            return { name, body: copy % bodies, ...(await create(to()[copy % processes]!, as, body, name)) };
          }),
        );
        const room = Math.min(keys, limits.quota, limits.concurrency_limit);
        expect(answers.filter(({ status }) => status === 201).length).toBe(room);
        for (const ofKey of Map.groupBy(answers, ({ name }) => name).values()) {
          const winner = ofKey.find(({ status }) => status === 201);
          const code = limits.quota <= limits.concurrency_limit ? 'quota_exceeded' : 'concurrency_limit_exceeded';
          const answerTo = (body: number) => {
            if (!winner) return { status: 403, code };
            if (body !== winner.body) return { status: 422, code: 'idempotency_key_conflict' };
            return { status: 200, replayed: true, text: winner.text };
          };
          for (const answer of ofKey)
            expect(answer).toMatchObject(answer === winner ? { replayed: false } : answerTo(answer.body));
        }
        expect(await bookFaults(service.context.db, accountId)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

test('the same burst oversells a service that counts and then inserts', async () => {
  const { key, accountId, plan } = await accountWith({ quota: 10, concurrency_limit: 500 });
  const db = createDb(service.databaseUrl, 40, () => {});
  const countThenInsert = () =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ jobs: number }>`
        select count(*)::int as jobs from jobs where account_id = ${accountId}`.execute(trx);
      if (rows[0]!.jobs >= plan.quota) return false;
      await insertJobs(trx, accountId, plan, [{ status: 'queued' }]);
      return true;
    });
  const naive = createServer((request, response) => {
    request.resume().on('end', () => {
      void countThenInsert()
        // On a slow machine the last of them wait beyond the timeout of a statement.
        .then(
          (done) => (done ? 201 : 403),
          () => 503,
        )
        .then((status) => response.writeHead(status).end('{}'));
    });
  });
  await next(naive.listen(0, '127.0.0.1'), 'listening');
  const { port } = naive.address() as AddressInfo;
  const answers = await burst([`http://127.0.0.1:${port}`], [key]);
  await next(naive.close(), 'close');
  await db.destroy();
  expect(tally(answers)[201]).toBeGreaterThan(plan.quota);
});
