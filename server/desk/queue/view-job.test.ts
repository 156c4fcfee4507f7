import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { followEvents } from '../../../test/support/event-stream.ts';
import { createService } from '../../../test/support/harness.ts';
import { createStudio, newJobIn, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { makeWorker } from '../../../test/support/workers.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
let ben: TestPerson;
beforeAll(async () => {
  // Of its own: the stream names every open job of the desk.
  studio = await createStudio();
  ben = await makeOperator(studio.service);
});

const view = (id: string, viewing: unknown, as = studio.operator.token) =>
  studio.service.call('PUT', `/api/operator/v1/jobs/${id}/viewing`, { as, body: { viewing } });
const viewer = (job_id: string, { userId }: TestPerson) => ({
  job_id,
  operator_id: showId('user', userId),
  name: 'Operator',
});
const follow = (as: string, service = studio.service) =>
  followEvents(service, as, { path: '/api/operator/v1/queue/stream' });
const pass = (id: string, seconds: number) =>
  sql`update job_viewers set seen_at = seen_at - make_interval(secs => ${seconds})
    where job_id = ${uuidOf('job', id)}`.execute(studio.service.context.db);

test('200: everybody who has the job open, until they close it', async () => {
  const id = await newJobIn(studio, 'queued');
  const { status, body } = await view(id, true);
  expect([status, body]).toEqual([200, { viewing: [viewer(id, studio.operator)] }]);
  await view(id, true, ben.token);
  const both = (await view(id, true)).body.viewing;
  expect(both).toHaveLength(2);
  expect(both).toEqual(expect.arrayContaining([viewer(id, studio.operator), viewer(id, ben)]));
  expect((await view(id, false)).body.viewing).toEqual([viewer(id, ben)]);
  expect((await view(id, false)).body.viewing).toEqual([viewer(id, ben)]);
  await view(id, false, ben.token);
});

test('200: who says nothing for 75 seconds has closed it; who says it every 30 seconds has not', async () => {
  const id = await newJobIn(studio, 'queued');
  await view(id, true);
  await pass(id, 70);
  expect((await view(id, true, ben.token)).body.viewing).toHaveLength(2);
  await view(id, true);
  await pass(id, 70);
  await view(id, true, ben.token);
  expect((await view(id, true, ben.token)).body.viewing).toHaveLength(2);
  await pass(id, 10);
  expect((await view(id, true, ben.token)).body.viewing).toEqual([viewer(id, ben)]);
  await view(id, false, ben.token);
});

test('200: an old view is deleted when its operator opens another job', async () => {
  const [first, second] = [await newJobIn(studio, 'queued'), await newJobIn(studio, 'queued')];
  await view(first, true);
  await pass(first, 76);
  await view(second, true);
  const { rows } = await sql`select from job_viewers where job_id = ${uuidOf('job', first)}`.execute(
    studio.service.context.db,
  );
  expect(rows).toEqual([]);
  await view(second, false);
});

test('200: the stream of another operator says it, in another process too', async () => {
  const id = await newJobIn(studio, 'queued');
  const other = await createService({}, { databaseUrl: studio.service.databaseUrl });
  const stream = await follow(ben.token, other);
  expect((await stream.next())?.data.viewing).toEqual([]);
  await view(id, true);
  expect((await stream.next())?.data.viewing).toEqual([viewer(id, studio.operator)]);
  await view(id, false);
  expect((await stream.next())?.data.viewing).toEqual([]);
  await stream.close();
  await other.close();
});

test('200: the stream says when somebody stops without a word, and workers read no names', async () => {
  const id = await newJobIn(studio, 'queued');
  await view(id, true);
  const [stream, ofWorker] = [await follow(ben.token), await follow(await makeWorker(studio))];
  expect((await stream.next())?.data.viewing).toEqual([viewer(id, studio.operator)]);
  expect((await ofWorker.next())?.data.viewing).toEqual([]);
  await pass(id, 76);
  expect((await stream.next())?.data.viewing).toEqual([]);
  await Promise.all([stream.close(), ofWorker.close()]);
});

test.each([undefined, 'yes', null])('422 invalid_request: viewing %j', async (viewing) => {
  const { status, body } = await view(await newJobIn(studio, 'queued'), viewing);
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});
