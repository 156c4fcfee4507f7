import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followEvents } from '../../test/support/event-stream.ts';
import { createStudio, newJob, type Studio } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import { deleteOldEvents } from './delete-old-events.ts';

let studio: Studio;
// Of its own: it ages the events of all accounts.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const list = async (query: string) => studio.service.call('GET', `/api/v1/events${query}`, { as: studio.key });
const sweep = () => deleteOldEvents(studio.service.context.db, new AbortController().signal);

test('events without a job are deleted after 90 days; jobs keep their history; older cursors are refused', async () => {
  const id = await newJob(studio.service, studio.key);
  const { latest } = (await list('?limit=1')).body;
  await makeKey(studio.service, studio.ada);
  const age = (days: number, from: number, to: number) =>
    sql`update events set created_at = now() - make_interval(days => ${days})
      where seq between ${from} and ${to}`.execute(studio.service.context.db);
  await age(91, 1, latest);
  await age(89, latest + 1, latest + 1);
  await sweep();
  const { events } = (await list('?after=0')).body;
  expect(events.map(({ seq, type }: { seq: number; type: string }) => [seq, type])).toEqual([
    [latest, 'job.created'],
    [latest + 1, 'api_key.created'],
  ]);
  expect((await list(`?job_id=${id}`)).body.events).toHaveLength(1);

  // Everything up to the job's event was deleted, and a reader from there on has missed nothing.
  const expired = await list('?after=1');
  expect([expired.status, expired.body.error.code]).toEqual([410, 'cursor_expired']);
  expect((await list(`?after=${latest - 1}`)).body.events).toHaveLength(2);
  const stream = await followEvents(studio.service, studio.key, { lastEventId: '1' });
  expect((await stream.next())?.event).toBe('open');
  expect(await stream.next()).toMatchObject({ event: 'resync', data: { latest: latest + 1 } });
  await stream.close();
});

test('numbers continue after all events were deleted', async () => {
  const { latest } = (await list('?limit=1')).body;
  await sql`update events set created_at = now() - interval '91 days'`.execute(studio.service.context.db);
  await sweep();
  await makeKey(studio.service, studio.ada);
  expect((await list(`?after=${latest}`)).body).toMatchObject({ events: [{ seq: latest + 1 }], latest: latest + 1 });
});
