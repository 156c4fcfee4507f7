import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, newJobIn, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { checkDatabase } from '../check/check-database.ts';
import { deleteOldHistories } from './delete-old-histories.ts';

let studio: Studio;
// Of its own: it checks the whole database.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const db = () => studio.service.context.db;
const read = async (path: string) => studio.service.call('GET', path, { as: studio.key });
const sweep = (months: number | null) => deleteOldHistories(db(), months, new AbortController().signal);
const age = (id: string, months: number) =>
  sql`update job_outcomes set ended_at = now() - make_interval(months => ${months}) where job_id = ${uuidOf('job', id)}`.execute(
    db(),
  );

/** A delivery of its last event that somebody asked for lately, and that failed. */
const sendAgain = (id: string) =>
  sql`
    with endpoint as (
      insert into webhook_endpoints (account_id, id, url, cursor, created_by)
      select m.account_id, uuidv7(), 'https://example.com/hook', 0, m.user_id
      from jobs j join members m on m.account_id = j.account_id where j.id = ${uuidOf('job', id)} limit 1
      returning account_id, id)
    insert into webhook_deliveries (account_id, endpoint_id, seq, event_id, event_type, job_id, once, attempts, done_at, outcome)
    select v.account_id, e.id, v.seq, v.id, v.type, v.job_id, true, 1, now(), 'dead'
    from endpoint e join events v on v.account_id = e.account_id and v.job_id = ${uuidOf('job', id)}
    order by v.seq desc limit 1`.execute(db());

test('events of jobs that ended before the time to keep are deleted; the jobs and all others stay as they are', async () => {
  const [old, canceled, recent, open] = [
    await newJobIn(studio, 'completed'),
    await newJobIn(studio, 'canceled'),
    await newJobIn(studio, 'completed'),
    await newJobIn(studio, 'running'),
  ];
  await age(old, 13);
  await age(canceled, 13);
  await age(recent, 11);
  const before = await read(`/api/v1/jobs/${old}`);
  expect(before.body.events.length).toBeGreaterThan(3);

  await sweep(null);
  expect((await read(`/api/v1/jobs/${old}`)).body.events).toEqual(before.body.events);

  await sendAgain(old);
  expect((await checkDatabase(db())).contradictions).toEqual([]);
  await sweep(12);
  await sweep(12);
  const after = await read(`/api/v1/jobs/${old}`);
  expect(after.body).toMatchObject({ job: before.body.job, events: [] });
  expect((await read(`/api/v1/jobs/${canceled}`)).body.events).toEqual([]);
  for (const id of [recent, open]) expect((await read(`/api/v1/jobs/${id}`)).body.events.length).toBeGreaterThan(1);
  expect((await checkDatabase(db())).contradictions).toEqual([]);

  const expired = await read('/api/v1/events?after=1');
  expect([expired.status, expired.body.error.code]).toEqual([410, 'cursor_expired']);
  const { latest } = (await read('/api/v1/events?limit=1')).body;
  expect((await read(`/api/v1/events?after=${latest - 1}`)).body.events).toHaveLength(1);
});
