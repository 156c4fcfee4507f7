import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, makeMoves, newJob, newJobIn, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { claim, makeWorker } from '../../../test/support/workers.ts';

let studio: Studio;
// Of its own: it counts the jobs of all accounts.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const count = async (query = '', as = studio.operator.token) =>
  studio.service.call('GET', `/api/operator/v1/jobs/counts${query}`, { as });

test('200 counts each part of the queue, what ended in none, and mine for the caller', async () => {
  const empty = { to_do: 0, free: 0, mine: 0, in_review: 0, with_customer: 0, waiting: 0, parked: 0, overdue: 0 };
  expect((await count()).body.counts).toEqual({ ...empty, next_due_at: null });

  for (const status of ['completed', 'rejected', 'canceled', 'needs_review', 'ready_for_customer_review'] as const)
    await newJobIn(studio, status);
  await newJobIn(studio, 'accepted');
  await newJobIn(studio, 'running');
  const data = { service_family: 'data', service_type: 'data_cleaning' };
  await newJob(studio.service, studio.key, data);
  await claim(studio, await makeWorker(studio, ['data']));
  const free = await newJob(studio.service, studio.key);
  const late = await newJob(studio.service, studio.key);
  const parked = await newJob(studio.service, studio.key);
  const revised = await newJobIn(studio, 'ready_for_customer_review');
  await makeMoves(studio, revised, 'revision');
  const { db } = studio.service.context;
  const set = (id: string, changes: object) =>
    db.updateTable('jobs').set(changes).where('id', '=', uuidOf('job', id)).execute();
  await set(late, { due_at: sql`now() - interval '1 hour'` });
  await set(revised, { due_at: sql`now() - interval '1 hour'`, due_round: 0 }); // delivered once, so it was not late
  await set(parked, { lease_expiries: 5 });
  await set(free, { due_at: '2030-01-01T00:00:00.000Z' });

  const { status, body } = await count();
  expect(status).toBe(200);
  const all = { to_do: 6, free: 2, mine: 3, in_review: 1, with_customer: 1, waiting: 0, parked: 1, overdue: 1 };
  expect(body.counts).toMatchObject(all);
  expect(Date.parse(body.counts.next_due_at)).toBeGreaterThan(Date.now());
  const other = await makeOperator(studio.service);
  expect((await count('', other.token)).body.counts).toMatchObject({ ...all, mine: 0 });
  expect((await count('?service_family=data')).body.counts).toMatchObject({ ...empty, to_do: 1 });
});

test.each(['status=queued', 'service_family=', 'service_family=nothing'])('400 invalid_request: %s', async (query) => {
  const { status, body } = await count(`?${query}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
