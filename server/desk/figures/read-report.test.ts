import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import { createStudio, makeMoves, newJobIn, post, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { noteTime } from '../../../test/support/makers-hours.ts';

let studio: Studio;
// Of its own: the report counts the jobs of all accounts.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const read = (query = '') =>
  studio.service.call('GET', `/api/operator/v1/reports/total${query}`, { as: studio.operator.token });

const nothing = {
  jobs: 0,
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

test('200: all ended jobs, and why jobs were rejected, the most frequent reason first', async () => {
  const empty = (await read()).body.report;
  expect(empty).toMatchObject({ total: nothing, rejections: [] });
  expect(Date.parse(empty.period.end) - Date.parse(empty.period.start)).toBeGreaterThan(29 * 86_400_000);

  const reject = async (code: string) => {
    const path = `/api/operator/v1/jobs/${await newJobIn(studio, 'queued')}/reject`;
    expect(said(await post(studio.service, studio.operator.token, path, { code, message: 'No.' }))).toBe('200');
  };
  await reject('unclear');
  await reject('capacity');
  await reject('capacity');
  await newJobIn(studio, 'canceled');
  await noteTime(studio, await newJobIn(studio, 'completed'));
  await noteTime(studio, await newJobIn(studio, 'running'));
  const revised = await newJobIn(studio, 'ready_for_customer_review');
  await makeMoves(studio, revised, 'revision', 'start', 'reject');
  const { total, rejections } = (await read()).body.report;
  expect(total).toMatchObject({
    jobs: 6,
    completed: 1,
    rejected: 4,
    canceled: 1,
    revision_rounds: 1,
    noted_minutes: 90,
    due_deliveries: 2,
    on_time_share: 1,
  });
  expect(rejections).toEqual([
    { code: 'capacity', jobs: 2 },
    { code: 'out_of_scope', jobs: 1 },
    { code: 'unclear', jobs: 1 },
  ]);
});

test('400 invalid_request: a range that is too long', async () => {
  expect(said(await read('?period_start=2024-01-01T00:00:00Z&period_end=2026-01-01T00:00:00Z'))).toBe(
    '400 invalid_request',
  );
});

test('a delivery is on time by the same rule in figures and reports, which count different ones', async () => {
  const own = await createStudio();
  const { db } = own.service.context;
  const atDesk = async (path: string) =>
    (await own.service.call('GET', `/api/operator/v1${path}`, { as: own.operator.token })).body;
  const ids = [];
  for (const late of [false, false, true]) {
    const id = await newJobIn(own, 'needs_review');
    if (late)
      await sql`update jobs set due_at = now() - interval '1 minute' where id = ${uuidOf('job', id)}`.execute(db);
    await makeMoves(own, id, 'pass');
    ids.push(id);
  }
  const both = async () => {
    const [{ figures }, { report }] = [await atDesk('/figures'), await atDesk('/reports/total')];
    return [figures.total.on_time, figures.total.delivered, report.total.on_time_share, report.total.due_deliveries];
  };
  await makeMoves(own, ids[0]!, 'approve');
  expect(await both()).toEqual([2, 3, 1, 1]);
  for (const id of ids.slice(1)) await makeMoves(own, id, 'approve');
  expect(await both()).toEqual([2, 3, 2 / 3, 3]);
  await own.service.close();
});
