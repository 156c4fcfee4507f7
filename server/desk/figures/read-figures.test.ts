import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeDayFigures } from './store-day-figures.ts';
import { createStudio, makeMoves, newJobIn, type Studio, uuidOf } from '../../../test/support/jobs.ts';

let studio: Studio;
// Of its own: the figures count the jobs of all accounts.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const read = async (query = '') =>
  studio.service.call('GET', `/api/operator/v1/figures${query}`, { as: studio.operator.token });
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** Has the job be created and delivered for the first time so many hours ago, and be due so long after its creation. */
async function date(id: string, created: number, delivered: number | null, dueAfter: number) {
  const { db } = studio.service.context;
  const uuid = uuidOf('job', id);
  await sql`update jobs set created_at = now() - make_interval(hours => ${created}) where id = ${uuid}`.execute(db);
  if (delivered !== null)
    await sql`update job_submissions set released_at = now() - make_interval(hours => ${delivered}),
        due_at = now() - make_interval(hours => ${created - dueAfter})
      where job_id = ${uuid} and round = 0 and released_at is not null`.execute(db);
}

test('200 counts each thing on its day, per day and per family, with the median time to the first delivery', async () => {
  const empty = await read();
  expect(empty.status).toBe(200);
  const nothing = { created: 0, delivered: 0, on_time: 0, revised: 0, median_hours_to_delivery: null };
  expect(empty.body.figures).toMatchObject({ total: nothing, families: [] });
  expect(empty.body.figures.days).toHaveLength(30);

  const data = { service_family: 'data', service_type: 'data_cleaning' };
  const revised = await newJobIn(studio, 'ready_for_customer_review');
  await makeMoves(studio, revised, 'revision', 'start', 'submit', 'pass'); // the second delivery is no first one
  await date(revised, 50, 48, 24);
  await date(await newJobIn(studio, 'completed'), 60, 50, 5);
  await date(await newJobIn(studio, 'running', data), 24, null, 5);
  await date(await newJobIn(studio, 'queued'), 24 * 40, null, 5); // before the range

  await sql`update jobs set due_at = now() + interval '1 day'`.execute(studio.service.context.db); // of a later round

  const { body } = await read();
  expect(body.figures.total).toEqual({ created: 3, delivered: 2, on_time: 1, revised: 1, median_hours_to_delivery: 6 });
  expect(body.figures.families).toEqual([
    { service_family: 'data', ...nothing, created: 1 },
    { service_family: 'design', created: 2, delivered: 2, on_time: 1, revised: 1, median_hours_to_delivery: 6 },
  ]);
  const onDay = (name: string) => body.figures.days.find((one: { day: string }) => one.day === name);
  expect(onDay(day(0))).toMatchObject({ created: 0, revised: 1 });
  expect(onDay(day(1))).toMatchObject({ created: 1, delivered: 0, median_hours_to_delivery: null });
  expect(body.figures.days.reduce((sum: number, one: { delivered: number }) => sum + one.delivered, 0)).toBe(2);

  const ofData = (await read('?service_family=data')).body.figures;
  expect([ofData.total.created, ofData.families.length]).toEqual([1, 1]);
  const earlier = await read(`?period_start=${day(41)}T00:00:00.000Z&period_end=${day(38)}T00:00:00.000Z`);
  expect(earlier.body.figures.total).toEqual({ ...nothing, created: 1 });
  expect(earlier.body.figures.days.map((one: { day: string }) => one.day)).toEqual([day(41), day(40), day(39)]);
});

test('200: the same where past days are stored, for whole and for parts of days, and what comes later', async () => {
  const { db } = studio.service.context;
  await date(await newJobIn(studio, 'completed'), 24 * 5, 24 * 3, 24);
  await sql`update events set created_at = now() - interval '2 days' where type = 'job.revision_requested'`.execute(db);
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const queries = [
    '',
    '?service_family=design',
    `?period_start=${at(24 * 41)}&period_end=${at(24 * 2 + 5)}`,
    `?period_start=${at(30)}&period_end=${at(3)}`,
    `?period_start=${at(24 * 60)}&period_end=${at(24 * 50)}`,
    `?period_start=${at(2)}&period_end=${at(1)}`,
  ];
  const figures = async () => {
    const answers = [];
    for (const query of queries) {
      const { total, days, families } = (await read(query)).body.figures;
      answers.push({ total, days, families });
    }
    return answers;
  };
  const before = await figures();
  for (const _ of [1, 2]) await storeDayFigures(db, new AbortController().signal);
  const { rows } = await sql<{ days: number }>`select count(*)::int as days from stored_days`.execute(db);
  expect(rows[0]?.days).toBeGreaterThan(38);
  expect(await figures()).toEqual(before);
  // A stored day is not counted again.
  await sql`update jobs set created_at = created_at - interval '4 days'`.execute(db);
  expect((await read()).body.figures.total.delivered).toBe(before[0]?.total.delivered);
});

test.each([
  'period_start=2026-01-02T00:00:00Z&period_end=2026-01-01T00:00:00Z',
  'period_start=2024-01-01T00:00:00Z&period_end=2026-01-01T00:00:00Z',
  'period_start=x',
  'day=1',
])('400 invalid_request: %s', async (query) => {
  const { status, body } = await read(`?${query}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
