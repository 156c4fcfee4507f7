import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import {
  createStudio,
  makeMoves,
  newCustomer,
  newJobIn,
  post,
  type Studio,
  uuidOf,
} from '../../../test/support/jobs.ts';
import { noteTime } from '../../../test/support/makers-hours.ts';
import { ask, say } from '../../../test/support/talk.ts';
import { leasedJob, makeWorker, moveAs } from '../../../test/support/workers.ts';
import { readId, showId } from '../../lib/id.ts';

let studio: Studio;
let other: Studio;
// Of its own: the report has the jobs of all accounts.
beforeAll(async () => {
  studio = await createStudio();
  const { person, key } = await newCustomer(studio.service, 'studio');
  other = { ...studio, ada: person, key };
  await seed();
});
afterAll(() => studio.service.close());

const hour = 3600;
const hoursAgo = (hours: number) => sql<Date>`now() - make_interval(hours => ${hours})`;
const update = (id: string, table: string, set: ReturnType<typeof sql>, where = sql`true`) =>
  sql`update ${sql.table(table)} set ${set} where ${sql.ref(table === 'jobs' ? 'id' : 'job_id')} = ${uuidOf('job', id)} and ${where}`.execute(
    studio.service.context.db,
  );

/** The job was created and first delivered so many hours ago, and was due so long after its creation. */
async function date(id: string, created: number, delivered: number, dueAfter: number | null) {
  await update(id, 'jobs', sql`created_at = ${hoursAgo(created)}`);
  const due = dueAfter === null ? sql`null` : hoursAgo(created - dueAfter);
  await update(id, 'job_submissions', sql`released_at = ${hoursAgo(delivered)}, due_at = ${due}`, sql`round = 0`);
}

const revise = (of: Studio, id: string) => makeMoves(of, id, 'revision', 'start', 'submit', 'pass');

/** Two questions at once: together they stop the clock from 45 to 42 hours ago. */
async function paused() {
  const id = await newJobIn(studio, 'running');
  for (const [from, to] of [
    [45, 43],
    [44, 42],
  ] as const) {
    const question = await ask(studio, id);
    await say(studio, id, 'Green.');
    await sql`
      update job_messages set created_at = ${hoursAgo(from)}, answered_at = ${hoursAgo(to)}
      where id = ${readId('msg', question)}`.execute(studio.service.context.db);
  }
  await makeMoves(studio, id, 'submit', 'pass');
  await date(id, 50, 40, 24);
  await makeMoves(studio, id, 'approve');
}

/** The date passed unnoticed, but the desk had moved it before the delivery. */
async function moved() {
  const id = await newJobIn(studio, 'running');
  await update(id, 'jobs', sql`due_at = ${hoursAgo(1)}`);
  const due_at = new Date(Date.now() + 86_400_000).toISOString();
  await noteTime(studio, id, { minutes: 60 });
  const path = `/api/operator/v1/jobs/${id}/reschedule`;
  expect(said(await post(studio.service, studio.operator.token, path, { due_at, reason: 'The printer.' }))).toBe('200');
  await makeMoves(studio, id, 'submit', 'pass');
  await update(id, 'jobs', sql`created_at = ${hoursAgo(30)}`);
  await update(id, 'job_submissions', sql`released_at = ${hoursAgo(10)}`);
  await makeMoves(studio, id, 'approve');
}

/** Late at first; its round promises a date and keeps it. Another round without a promise counts nowhere. */
async function revised() {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await date(id, 60, 20, 24);
  await update(id, 'jobs', sql`revision_hours = 24`);
  await revise(studio, id);
  await update(id, 'jobs', sql`revision_hours = null`);
  await revise(studio, id);
  await makeMoves(studio, id, 'approve');
}

async function byWorker() {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker, 'running', 'unsold');
  expect((await moveAs(studio, worker, id, 'submit', token)).status).toBe(200);
  await makeMoves(studio, id, 'pass');
  await noteTime(studio, id, { minutes: 20 });
  await date(id, 5, 4, null);
  await makeMoves(studio, id, 'approve');
}

async function seed() {
  await paused();
  await moved();
  await revised();
  await byWorker();
  const data = { service_family: 'data', service_type: 'data_cleaning' };
  await newJobIn(other, 'rejected', data);
  await newJobIn(other, 'canceled', data);
  await noteTime(studio, await newJobIn(studio, 'needs_review'));
  const earlier = await newJobIn(other, 'canceled');
  await update(earlier, 'job_outcomes', sql`ended_at = now() - interval '40 days'`);
}

const read = (query = '', as = studio.operator.token) =>
  studio.service.call('GET', `/api/operator/v1/reports${query}`, { as });
const rowsPer = async (per: string) => (await read(`?per=${per}`)).body.report_rows;

const nothing = {
  completed: 0,
  rejected: 0,
  canceled: 0,
  due_deliveries: 0,
  on_time_share: null,
  turnaround_p50_seconds: null,
  turnaround_p90_seconds: null,
  revision_rounds: 0,
  noted_minutes: 0,
};
const byOperator = {
  ...nothing,
  jobs: 3,
  completed: 3,
  due_deliveries: 4,
  on_time_share: 0.75,
  turnaround_p50_seconds: 20 * hour,
  turnaround_p90_seconds: 40 * hour,
  revision_rounds: 2,
  noted_minutes: 60,
};
const byRobot = {
  ...nothing,
  jobs: 1,
  completed: 1,
  noted_minutes: 20,
  turnaround_p50_seconds: hour,
  turnaround_p90_seconds: hour,
};

test('200 per option: turnaround without pauses, on time by the date as it stood, rounds, rejected and canceled', async () => {
  expect(await rowsPer('option')).toEqual([
    { key: 'design.logo', name: 'Logo', ...byOperator },
    { key: 'data.data_cleaning', name: 'Data cleaning', ...nothing, jobs: 2, rejected: 1, canceled: 1 },
    { key: 'unsold.logo', name: 'unsold.logo', ...byRobot },
  ]);
  expect((await read()).body.report_rows).toEqual(await rowsPer('option'));
});

test('200 per customer: the jobs of each', async () => {
  expect(await rowsPer('customer')).toEqual([
    {
      key: showId('acct', studio.ada.accountId),
      name: expect.any(String),
      ...byOperator,
      jobs: 4,
      completed: 4,
      noted_minutes: 80,
      turnaround_p50_seconds: 7 * hour,
    },
    {
      key: showId('acct', other.ada.accountId),
      name: expect.any(String),
      ...nothing,
      jobs: 2,
      rejected: 1,
      canceled: 1,
    },
  ]);
});

test('200 per operator and per worker: who submitted the first delivery, or rejected the job without one', async () => {
  const { operator } = studio;
  expect(await rowsPer('operator')).toEqual([
    { key: showId('user', operator.userId), name: 'Operator', ...byOperator, jobs: 4, rejected: 1, noted_minutes: 80 },
  ]);
  expect(await rowsPer('worker')).toEqual([{ key: expect.stringMatching(/^wkey_/), name: 'robot', ...byRobot }]);
});

test('200 for a range: jobs that ended in it', async () => {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const { body } = await read(`?per=option&period_start=${day(41)}&period_end=${day(39)}`);
  expect(body.report_rows).toEqual([{ key: 'design.logo', name: 'Logo', ...nothing, jobs: 1, canceled: 1 }]);
});

test('200: what is computed from the jobs is what was recorded when each of them ended', async () => {
  const { rows } = await sql`
    select c.* from computed_job_outcomes c join job_outcomes o using (account_id, job_id)
    where o.ended_at > now() - interval '30 days'
    except select account_id, job_id, ended_at, status, service_family, service_type, operator_id, worker_key_id,
      turnaround_seconds, due_deliveries, on_time_deliveries, revision_rounds, reason_code
    from job_outcomes`.execute(studio.service.context.db);
  expect(rows).toEqual([]);
});

test('400 invalid_request: an unknown dimension, a range that ends before it begins or is too long', async () => {
  for (const query of [
    'per=day',
    'period_start=2026-01-02T00:00:00Z&period_end=2026-01-01T00:00:00Z',
    'period_start=2024-01-01T00:00:00Z&period_end=2026-01-01T00:00:00Z',
  ])
    expect(said(await read(`?${query}`))).toBe('400 invalid_request');
});
