import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobStatus } from '../../contract/moves.ts';
import { type Db, createDb } from '../../server/db/pool.ts';
import { forAWhile } from '../support/for-a-while.ts';
import { createJob, post } from '../support/jobs.ts';
import { makeKey, makeOperator, signUp, type TestPerson } from '../support/people.ts';
import { adjust } from '../support/quota.ts';
import { type Got, createService, type Service } from '../support/harness.ts';
import { bookFaults, insertPlan, type InsertedPlan, openAccount } from '../support/seed.ts';

let service: Service;
let ada: TestPerson;
let operator: TestPerson;
/** Looks on without taking a connection from the service. */
let onlooker: Db;

beforeAll(async () => {
  service = await createService();
  ada = await signUp(service);
  operator = await makeOperator(service);
  onlooker = createDb(service.databaseUrl, 1, () => {});
});
afterAll(async () => {
  await onlooker.destroy();
  await service.close();
});

const at = fc.nat(5);
const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('create' as const),
      session: fc.boolean(),
      // Without a quality review the work is with the customer sooner.
      type: fc.constantFrom('logo', 'image_cutout'),
      key: fc.option(fc.nat(2)),
    }),
  },
  // A job takes its next steps towards completion …
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('advance' as const), at, steps: fc.integer({ min: 1, max: 4 }) }),
  },
  // … or any move at all is tried.
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom('cancel', 'cancel', 'reject', 'reject', 'revision', 'return', 'release', 'approve', 'pass'),
      at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('renew' as const), at: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('adjust' as const),
      at: fc.nat(2),
      quantity: fc.constantFrom(-2, -1, -1, 1, 2),
    }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const limits = fc.record({ quota: fc.integer({ min: 1, max: 6 }), concurrency_limit: fc.integer({ min: 0, max: 4 }) });
const story = fc.record({
  // Where each job stands before the first burst: after so many steps, and perhaps a revision if they led to the customer.
  before: fc.array(fc.record({ steps: fc.constantFrom(1, 2, 3, 3, 4), revised: fc.boolean() }), { maxLength: 4 }),
  human: limits,
  agent: limits,
  both: limits,
  bursts: fc.array(fc.array(act, { minLength: 1, maxLength: 14, size: 'max' }), {
    minLength: 1,
    maxLength: 6,
    size: 'max',
  }),
});

/** Tried before the random ones: both ends of a job, each with and without its quota given back. */
const everyEnd: typeof story extends fc.Arbitrary<infer S> ? S : never = {
  before: ([3, 3, 1, 1] as const).map((steps) => ({ steps, revised: steps === 3 })),
  bursts: [(['reject', 'cancel', 'reject', 'cancel'] as const).map((act, at) => ({ act, at }))],
  human: { quota: 1, concurrency_limit: 0 },
  agent: { quota: 2, concurrency_limit: 3 },
  both: { quota: 2, concurrency_limit: 1 },
};

const create = { act: 'create' as const, session: false, type: 'image_cutout' as const, key: null };
/** Also tried before the random ones: a job that is completed, and creates beyond the limit, then beyond the quota, and
 * quota given back and charged. */
const everyRefusal: typeof everyEnd = {
  before: [{ steps: 4, revised: false }],
  bursts: [
    [create, create],
    [{ act: 'advance', at: 1, steps: 4 }],
    [create, create],
    [{ act: 'adjust', at: 1, quantity: -2 }],
    [{ act: 'adjust', at: 1, quantity: -1 }],
    [{ act: 'adjust', at: 1, quantity: 1 }],
  ],
  human: { quota: 1, concurrency_limit: 0 },
  agent: { quota: 2, concurrency_limit: 1 },
  both: { quota: 1, concurrency_limit: 0 },
};

const towards: Partial<Record<JobStatus, string>> = {
  queued: 'accept',
  accepted: 'start',
  running: 'submit',
  needs_review: 'pass',
  ready_for_customer_review: 'approve',
};
const bodies: Record<string, object> = {
  submit: { message: 'Done.' },
  return: { note: 'Again.' },
  reject: { code: 'capacity', message: 'Not now.' },
  revision: { customer_instructions: 'Rounder.' },
};
const customers = ['approve', 'cancel', 'revision'];

type Account = TestPerson & { key: string; plans: InsertedPlan[] };
type KnownJob = { id: string; status: JobStatus };

const ask = (account: Account, id: string, move: string) =>
  customers.includes(move)
    ? post(service, account.key, `/api/v1/jobs/${id}/${move}`, bodies[move])
    : post(service, operator.token, `/api/operator/v1/jobs/${id}/${move}`, bodies[move]);

/** A new period begins, as the provider's renewal has it. */
async function renew({ accountId }: Account, plan: InsertedPlan): Promise<null> {
  await service.context.db.transaction().execute(async (trx) => {
    await sql`select from account_counters where account_id = ${accountId} for no key update`.execute(trx);
    await sql`update entitlement_periods set used = 0, period_start = period_start + interval '1 hour',
      period_end = period_end + interval '1 hour' where entitlement_id = ${plan.id}`.execute(trx);
  });
  return null;
}

async function advance(account: Account, { id, status }: KnownJob, steps: number): Promise<Got | null> {
  const move = towards[status];
  if (!move) return null;
  const answer = await ask(account, id, move);
  if (answer.status !== 200 || steps === 1) return answer;
  return (await advance(account, answer.body.job, steps - 1)) ?? answer;
}

/** The studio gives quota back or charges it, in the period that it sees. */
async function adjustQuota(account: Account, plan: InsertedPlan, quantity: number): Promise<Got> {
  const answer = await adjust({ service, operator }, account, quantity, plan.code);
  if (answer.status === 201) count(quantity < 0 ? 'quota given back' : 'quota charged');
  return answer;
}

/** Null for what found no job to act on. */
async function perform(account: Account, jobs: readonly KnownJob[], key: string, one: Act): Promise<Got | null> {
  if (one.act === 'renew') return renew(account, account.plans[one.at]!);
  if (one.act === 'adjust') return adjustQuota(account, account.plans[one.at]!, one.quantity);
  if (one.act === 'create') {
    const body = { service_type: one.type, customer_title: one.type };
    const named = one.key === null ? undefined : `${key}-${one.key}`;
    return createJob(service, one.session ? account.token : account.key, body, named);
  }
  const job = jobs[one.at % Math.max(jobs.length, 1)];
  if (!job) return null;
  return one.act === 'advance' ? advance(account, job, one.steps) : ask(account, job.id, one.act);
}

/** What no moment may see. */
async function glimpse(accountId: string): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select e.code || ' has used ' || p.used || ' of ' || e.quota as fault
    from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    where e.account_id = ${accountId} and p.used not between 0 and e.quota
    union all
    select n.jobs || ' active jobs, over the limit'
    from (select count(*) as jobs from jobs where account_id = ${accountId}
      and status not in ('completed', 'rejected', 'canceled')) n
    where n.jobs > (select sum(concurrency_limit) from entitlements where account_id = ${accountId})`.execute(onlooker);
  return [...rows.map(({ fault }) => fault), ...(await bookFaults(onlooker, accountId))];
}

/** Looks again and again until the burst is over. */
async function watch(accountId: string, done: AbortSignal): Promise<string[]> {
  const faults: string[] = [];
  while (!done.aborted) faults.push(...(await glimpse(accountId)));
  return faults;
}

/** Which jobs gave their quota back, and which had to: told by their events alone. */
async function givenBack(accountId: string) {
  const { rows } = await sql<{ id: string; ended: string; was: boolean; due: boolean }>`
    select j.id, j.status as ended,
      exists (select from usage_ledger l where l.job_id = j.id and l.quantity = -1) as was,
      case j.status
        when 'canceled' then last.previous_status in ('queued', 'accepted')
          and not exists (select from events v where v.job_id = j.id and v.type = 'job.submitted')
        when 'rejected' then
          not exists (select from events v where v.job_id = j.id and v.type = 'job.ready_for_customer_review')
        else false
      end as due
    from jobs j join events last on last.job_id = j.id and last.job_seq = j.last_seq
    where j.account_id = ${accountId}`.execute(service.context.db);
  return rows;
}

async function jobsOf(account: Account): Promise<KnownJob[]> {
  const { body } = await service.call('GET', '/api/v1/jobs?limit=100', { as: account.key });
  return body.jobs.toReversed();
}

const seen = new Map<string, number>();
const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

test('whatever happens at once, ledger, counters and jobs agree at every moment, within quota and limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      story,
      forAWhile(20_000, 4, async ({ before, bursts, ...plans }) => {
        const opened = await openAccount(service, ada);
        const account: Account = { ...opened, key: await makeKey(service, ada), plans: [] };
        for (const kind of ['human', 'agent', 'both'] as const) {
          const state = { access_kind: kind, status: 'active' as const, endsIn: 600 - account.plans.length * 60 };
          account.plans.push(await insertPlan(onlooker, account.accountId, kind, { ...state, ...plans[kind] }));
        }
        for (const { steps, revised } of before) {
          const { status, body } = await createJob(service, account.key, { service_type: 'image_cutout' });
          if (status !== 201) break;
          const answer = await advance(account, body.job, steps);
          if (revised && answer?.body.job.status === 'ready_for_customer_review')
            await ask(account, body.job.id, 'revision');
        }
        for (const burst of bursts) {
          const jobs = await jobsOf(account);
          const key = randomUUID();
          const done = new AbortController();
          const watched = watch(account.accountId, done.signal);
          const answers = await Promise.all(burst.map((one) => perform(account, jobs, key, one))).finally(() =>
            done.abort(),
          );
          expect(await watched).toEqual([]);
          expect(await glimpse(account.accountId)).toEqual([]);
          for (const answer of answers) if (answer) count(answer.body.error?.code ?? String(answer.status));
        }
        for (const { ended, was, due, id } of await givenBack(account.accountId)) {
          expect({ id, was }).toEqual({ id, was: due });
          count(`${ended}${was ? ', given back' : ''}`);
        }
      }),
    ),
    { numRuns: 40, examples: [[everyEnd], [everyRefusal]] },
  );
  // All that the property is about did happen.
  const ends = ['completed', 'canceled', 'canceled, given back', 'rejected', 'rejected, given back'];
  const adjusted = ['quota given back', 'quota charged', 'adjustment_too_large'];
  for (const what of ['201', 'quota_exceeded', 'concurrency_limit_exceeded', ...ends, ...adjusted])
    expect.soft(seen.get(what) ?? 0, what).toBeGreaterThan(0);
});
