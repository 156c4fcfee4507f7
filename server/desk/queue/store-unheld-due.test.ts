import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, newJobIn, post, setPlan, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { toldTo } from '../../../test/support/notifications.ts';
import { makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { leasedJob, makeWorker } from '../../../test/support/workers.ts';
import { showId } from '../../lib/id.ts';
import { storeAlerts } from './store-alerts.ts';
import { storeUnheldDue } from './store-unheld-due.ts';

let studio: Studio;
let lead: TestPerson;
let maker: TestPerson;
// Of its own: it counts the jobs of all accounts.
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000, quota: 1000 });
  [lead, maker] = [await makeOperator(studio.service, 'lead'), await makeOperator(studio.service, 'maker')];
});
afterAll(() => studio.service.close());

const stopped = new AbortController().signal;
const db = () => studio.service.context.db;
async function dueIn(id: string, hours: number): Promise<void> {
  await sql`update jobs set due_at = now() + make_interval(hours => ${hours}), created_at = now() - interval '1 day'
    where id = ${uuidOf('job', id)}`.execute(db());
}
async function tasks(): Promise<void> {
  await storeAlerts(db(), stopped);
  await storeUnheldDue(db(), stopped);
}
const linesOf = async (person: TestPerson) =>
  (await toldTo(studio.service, person, 'studio'))
    .filter(({ kind }) => /due$|^overdue/.test(kind))
    .map(({ kind, about, read_at }) => `${kind}: ${about}${read_at ? ', seen' : ''}`);

test('jobs that no operator holds are one line with their number, for leads and owners alone', async () => {
  const jobs: string[] = [];
  for (const hours of [-3, -2, 1, 9]) {
    const id = await newJobIn(studio, 'queued');
    await dueIn(id, hours);
    jobs.push(id);
  }
  await tasks();
  expect(await toldTo(studio.service, lead, 'studio')).toMatchObject([
    {
      kind: 'unheld_due',
      title: 'Jobs that nobody holds',
      about: '2 are overdue and 1 is due within two hours',
      job_id: null,
      path: '/desk?tab=overdue&holder=none',
    },
  ]);
  expect(await linesOf(studio.operator)).toHaveLength(1);
  expect(await linesOf(maker)).toEqual([]);

  // The unseen line follows the count.
  await dueIn(jobs[3] ?? '', -1);
  await tasks();
  expect(await linesOf(lead)).toEqual(['unheld_due: 3 are overdue and 1 is due within two hours']);

  // Seen, it comes back for more jobs alone, and not within an hour.
  const seen = async () => {
    for (const { id, kind } of await toldTo(studio.service, lead, 'studio'))
      if (kind === 'unheld_due') await post(studio.service, lead.token, `/api/auth/notifications/${id}/read`, {});
  };
  const hourLater = () =>
    sql`update notifications set created_at = created_at - interval '61 minutes',
      read_at = read_at - interval '61 minutes' where kind = 'unheld_due'`.execute(db());
  const lines = async () => (await tasks(), (await linesOf(lead)).length);
  await seen();
  await hourLater();
  expect(await lines()).toBe(2);
  await seen();
  for (const id of jobs)
    await sql`update jobs set due_at = due_at - interval '1 day' where id = ${uuidOf('job', id)}`.execute(db());
  expect(await lines()).toBe(2);
  await hourLater();
  expect(await lines()).toBe(2);
  const hold = (action: string) =>
    post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${jobs[0]}/${action}`);
  await hold('accept');
  expect(await lines()).toBe(2);
  await hold('release');
  expect(await lines()).toBe(3);
  await seen();
  await hold('accept');
  await tasks();
  await hold('release');
  expect(await lines()).toBe(3);
  await hourLater();
  expect(await lines()).toBe(4);
  await seen();
  await hourLater();
  expect(await lines()).toBe(4);
  await dueIn(jobs[0] ?? '', 0);
  expect(await lines()).toBe(5);

  // Its services alone count, and nothing is left once each has a holder.
  await studio.service.call('PATCH', `/api/operator/v1/operators/${showId('user', lead.userId)}`, {
    as: studio.operator.token,
    body: { service_families: ['data'] },
  });
  await tasks();
  expect((await linesOf(lead)).filter((line: string) => !line.endsWith('seen'))).toEqual([]);
});

test('the line ends for who directs the desk no more', async () => {
  const id = await newJobIn(studio, 'queued');
  await dueIn(id, -1);
  const director = await makeOperator(studio.service, 'lead');
  await tasks();
  expect(await linesOf(director)).toEqual([expect.not.stringMatching(/seen$/)]);
  await sql`update people set operator_role = 'maker' where id = ${director.userId}`.execute(db());
  await tasks();
  expect(await linesOf(director)).toEqual([expect.stringMatching(/seen$/)]);
});

test('work in review and jobs that workers hold are not counted, and what is due soon is listed with what is to do', async () => {
  const late = [];
  const { id: ofWorker } = await leasedJob(studio, await makeWorker(studio));
  const inReview = await newJobIn(studio, 'needs_review');
  const free = await newJobIn(studio, 'queued');
  for (const id of [ofWorker, inReview, free]) {
    await dueIn(id, id === free ? 1 : -2);
    late.push(uuidOf('job', id));
  }
  await sql`delete from notifications where kind = 'unheld_due'`.execute(db());
  await sql`update jobs set due_at = null where not id = any(${late}::uuid[])`.execute(db());
  await tasks();
  expect((await toldTo(studio.service, studio.operator, 'studio'))[0]).toMatchObject({
    about: '1 is due within two hours',
    path: '/desk?holder=none',
  });
});

test('the holder of a late job is told of it', async () => {
  const id = await newJobIn(studio, 'queued');
  await post(studio.service, maker.token, `/api/operator/v1/jobs/${id}/accept`);
  await dueIn(id, -1);
  await tasks();
  expect(await linesOf(maker)).toEqual([expect.stringMatching(/^overdue: Logo/)]);
});
