import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, createDb } from '../../server/db/pool.ts';
import { forAWhile } from '../support/for-a-while.ts';
import { createService, type Got, type Service } from '../support/harness.ts';
import {
  createJob,
  createStudio,
  newCustomer,
  newJobIn,
  post,
  setPlan,
  type Studio,
  tryMove,
} from '../support/jobs.ts';
import { adjust, adjustmentFor, sendAdjustment } from '../support/quota.ts';
import { bookFaults } from '../support/seed.ts';

let studio: Studio;
/** Another process of the service on the same database. */
let other: Service;
/** Looks on without taking a connection from either. */
let onlooker: Db;
beforeAll(async () => {
  studio = await createStudio();
  other = await createService({}, { databaseUrl: studio.service.databaseUrl });
  onlooker = createDb(studio.service.databaseUrl, 1, () => {});
});
afterAll(async () => {
  await onlooker.destroy();
  await other.close();
  await studio.service.close();
});

const quick = { service_type: 'image_cutout' };
const codes = (answers: Got[]) => answers.map(({ status, body }) => body.error?.code ?? status).toSorted();

async function newAccount(quota: number) {
  const { person, key } = await newCustomer(studio.service, 'studio');
  await setPlan(studio.service, person, 'studio', { quota, concurrency_limit: 1_000 });
  return { ...studio, ada: person, key };
}

/** Null while the books agree and 0 <= used <= quota. */
async function faultOf({ ada: { accountId } }: Studio): Promise<string | null> {
  const { rows } = await sql<{ used: number; quota: number }>`
    select p.used, e.quota from entitlements e
    join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    where e.account_id = ${accountId} and p.used not between 0 and e.quota`.execute(onlooker);
  const faults = await bookFaults(onlooker, accountId);
  return rows.length + faults.length === 0 ? null : JSON.stringify({ rows, faults });
}

/** Looks again and again until all have answered. */
async function watched(own: Studio, requests: Promise<Got>[]): Promise<Got[]> {
  let over = false;
  const all = Promise.all(requests).finally(() => (over = true));
  while (!over) expect(await faultOf(own)).toBeNull();
  const answers = await all;
  expect(await faultOf(own)).toBeNull();
  return answers;
}

const usedOf = async ({ service, key }: Studio) =>
  (await service.call('GET', '/api/v1/usage', { as: key })).body.usage.totals.quantity;

test('of six who give one job back at once, in two processes, as many succeed as jobs were charged', async () => {
  const own = await newAccount(10);
  for (let n = 0; n < 2; n++) await newJobIn(own, 'completed');
  const body = await adjustmentFor(own, own.ada, -1);
  const services = [own.service, other, own.service, other, own.service, other];
  const answers = await watched(
    own,
    services.map((service) => sendAdjustment(own, service, own.ada, body)),
  );
  const tooLarge = 'adjustment_too_large';
  expect(codes(answers)).toEqual([201, 201, tooLarge, tooLarge, tooLarge, tooLarge]);
  expect(await usedOf(own)).toBe(0);
});

test('a charge beside 20 creates, in two processes: together they use the quota and no more', async () => {
  const own = await newAccount(15);
  const body = await adjustmentFor(own, own.ada, 5);
  const creates = Array.from({ length: 20 }, (_, n) => createJob(n % 2 ? own.service : other, own.key, quick));
  const [charged, ...created] = await watched(own, [sendAdjustment(own, other, own.ada, body), ...creates]);
  const jobs = created.filter(({ status }) => status === 201).length;
  expect(jobs).toBe(charged?.status === 201 ? 10 : 15);
  expect(await usedOf(own)).toBe(15);
});

test('quota given back beside 20 creates and 10 cancellations, in two processes: the books agree at every moment', async () => {
  const own = await newAccount(20);
  for (let n = 0; n < 5; n++) await newJobIn(own, 'completed');
  const queued = await Promise.all(Array.from({ length: 10 }, () => createJob(own.service, own.key, quick)));
  const body = await adjustmentFor(own, own.ada, -1);
  const answers = await watched(own, [
    ...Array.from({ length: 8 }, (_, n) => sendAdjustment(own, n % 2 ? own.service : other, own.ada, body)),
    ...Array.from({ length: 20 }, (_, n) => createJob(n % 2 ? other : own.service, own.key, quick)),
    ...queued.map(({ body: { job } }, n) =>
      post(n % 2 ? own.service : other, own.key, `/api/v1/jobs/${job.id}/cancel`),
    ),
  ]);
  const adjusted = codes(answers.slice(0, 8));
  expect(adjusted.filter((code) => code === 201)).toHaveLength(5);
  const created = answers.slice(8, 28).filter(({ status }) => status === 201).length;
  expect(codes(answers.slice(28))).toEqual(Array.from({ length: 10 }, () => 200));
  expect(await usedOf(own)).toBe(created);
});

type Model = { quota: number; jobs: ('open' | 'charged' | 'returned')[]; adjusted: number };
const charged = ({ jobs }: Model) => jobs.filter((job) => job !== 'returned').length;
const ended = ({ jobs }: Model) => jobs.filter((job) => job === 'charged').length;

const act = fc.oneof(
  fc.record({ act: fc.constant('create' as const) }),
  fc.record({ act: fc.constantFrom('cancel' as const, 'reject' as const, 'complete' as const), at: fc.nat(7) }),
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('adjust' as const), quantity: fc.constantFrom(-3, -2, -1, -1, 1, 2, 3) }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

const ways = { cancel: ['cancel'], reject: ['accept', 'reject'], complete: ['accept', 'start', 'submit', 'approve'] };

/** What the service answers, and what the model says that it must. */
async function perform(own: Studio, model: Model, ids: string[], one: Act): Promise<[unknown, unknown]> {
  const used = charged(model) + model.adjusted;
  if (one.act === 'create') {
    const { status, body } = await createJob(own.service, own.key, quick);
    if (status === 201) ids.push(body.job.id);
    const room = used < model.quota;
    if (room) model.jobs.push('open');
    return [status, room ? 201 : 403];
  }
  if (one.act === 'adjust') {
    const most = one.quantity < 0 ? ended(model) + model.adjusted : model.quota - used;
    const { status, body } = await adjust(own, own.ada, one.quantity);
    if (Math.abs(one.quantity) > most) return [body.error?.details, [expect.objectContaining({ maximum: most })]];
    model.adjusted += one.quantity;
    return [status, 201];
  }
  const at = one.at % Math.max(model.jobs.length, 1);
  if (model.jobs[at] !== 'open') return [null, null];
  for (const move of ways[one.act]) await tryMove(own, ids[at] ?? '', move as 'accept');
  model.jobs[at] = one.act === 'complete' ? 'charged' : 'returned';
  return [null, null];
}

test('whatever was ordered, ended and adjusted before, each answer is that of the model', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(act, { minLength: 4, maxLength: 18, size: 'max' }),
      forAWhile(15_000, 4, async (quota, acts) => {
        const own = await newAccount(quota);
        const model: Model = { quota, jobs: [], adjusted: 0 };
        const ids: string[] = [];
        for (const one of acts) {
          const [answer, due] = await perform(own, model, ids, one);
          expect(answer, JSON.stringify(one)).toEqual(due);
          if (one.act === 'adjust')
            outcomes.add(`${one.quantity < 0 ? 'give back' : 'charge'} ${typeof answer === 'number'}`);
          expect(await usedOf(own)).toBe(charged(model) + model.adjusted);
          expect(await faultOf(own)).toBeNull();
        }
      }),
    ),
    { numRuns: 40, examples: [[3, everyOutcome]] },
  );
  expect([...outcomes].toSorted()).toEqual(['charge false', 'charge true', 'give back false', 'give back true']);
});

const everyOutcome: Act[] = [
  { act: 'create' },
  { act: 'adjust', quantity: -1 },
  { act: 'complete', at: 0 },
  { act: 'adjust', quantity: -1 },
  { act: 'adjust', quantity: -1 },
  { act: 'create' },
  { act: 'adjust', quantity: 2 },
  { act: 'adjust', quantity: 1 },
  { act: 'cancel', at: 1 },
  { act: 'adjust', quantity: -2 },
];
