import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaFault } from '../../../test/support/answers.ts';
import { type Followed, followEvents } from '../../../test/support/event-stream.ts';
import { createService } from '../../../test/support/harness.ts';
import { createStudio, makeMoves, newJob, newJobIn, setPlan, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { deskPath, setAside } from '../../../test/support/makers-hours.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { claim, makeWorker } from '../../../test/support/workers.ts';
import { announce, transact } from '../../db/pool.ts';
import { storeAlerts } from './store-alerts.ts';

let studio: Studio;
// Of its own: it streams the counts of all jobs.
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { quota: 10_000, concurrency_limit: 10_000 });
});
afterAll(() => studio.service.close());

const follow = (as = studio.operator.token, service = studio.service) =>
  followEvents(service, as, { path: '/api/operator/v1/queue/stream' });

/** The next entry that tells of the queue. */
async function change(stream: Followed) {
  const entry = await stream.next();
  expect(schemaFault({ $ref: '#/components/schemas/QueueChange' }, entry?.data)).toBeNull();
  expect([entry?.event, entry?.id]).toEqual([null, null]);
  return entry!.data;
}

/** Entries until one names this job. */
async function untilNamed(stream: Followed, id: string) {
  for (;;) {
    const found = await change(stream);
    if (found.changed.includes(id)) return found;
  }
}

const counted = async () =>
  (await studio.service.call('GET', '/api/operator/v1/jobs/counts', { as: studio.operator.token })).body.counts;

test('200: how the queue stands, then each change with its jobs and the counts', async () => {
  const stream = await follow();
  const first = await stream.next();
  expect(first).toMatchObject({ event: null, id: null, retry: '2000', data: { counts: await counted(), changed: [] } });
  const id = await newJob(studio.service, studio.key);
  const created = await change(stream);
  expect(created).toEqual({ counts: await counted(), viewing: [], changed: [id] });
  expect(created.counts.free).toBe(first?.data.counts.free + 1);
  await makeMoves(studio, id, 'accept');
  expect(await change(stream)).toMatchObject({ counts: { mine: created.counts.mine + 1 }, changed: [id] });
  await makeMoves(studio, id, 'start', 'reject');
  expect(await untilNamed(stream, id)).toMatchObject({ counts: { to_do: first?.data.counts.to_do } });
  await stream.close();
});

test('200: a job that another operator takes is named, though it does not move, and `mine` is that of the reader', async () => {
  const id = await newJobIn(studio, 'accepted');
  const other = await makeOperator(studio.service);
  const [mine, theirs] = [await follow(), await follow(other.token)];
  const [before, after] = [await change(mine), await change(theirs)];
  await studio.service.call('POST', `/api/operator/v1/jobs/${id}/hold`, { as: other.token, body: {} });
  expect((await untilNamed(mine, id)).counts.mine).toBe(before.counts.mine - 1);
  expect((await untilNamed(theirs, id)).counts.mine).toBe(after.counts.mine + 1);
  await Promise.all([mine.close(), theirs.close()]);
});

test('200: an alert names its job once it is stored, only to its operator', async () => {
  const id = await newJobIn(studio, 'accepted');
  const colleague = await makeOperator(studio.service);
  const { db } = studio.service.context;
  // So that only the alert is new.
  await sql`update events set created_at = now() - interval '1 minute' where job_id = ${uuidOf('job', id)}`.execute(db);
  const [mine, theirs] = [await follow(), await follow(colleague.token)];
  await Promise.all([change(mine), change(theirs)]);
  await sql`update jobs set due_at = now() - interval '1 minute' where id = ${uuidOf('job', id)}`.execute(db);
  await storeAlerts(db, new AbortController().signal);
  expect((await change(mine)).changed).toEqual([id]);
  expect(await change(theirs)).toMatchObject({ counts: { overdue: 1 }, changed: [] });
  await Promise.all([mine.close(), theirs.close()]);
});

test('200: a job that is set aside, and that is back, is named', async () => {
  const id = await newJobIn(studio, 'accepted');
  const { db } = studio.service.context;
  // So that nothing else about it is new.
  await sql`update events set created_at = now() - interval '1 minute' where job_id = ${uuidOf('job', id)}`.execute(db);
  await sql`update jobs set held_since = now() - interval '1 minute' where id = ${uuidOf('job', id)}`.execute(db);
  const stream = await follow();
  await change(stream);
  await setAside(studio, id);
  expect((await change(stream)).changed).toEqual([id]);
  await studio.service.call('DELETE', `${deskPath(id)}/set-aside`, { as: studio.operator.token });
  expect((await change(stream)).changed).toEqual([id]);
  await stream.close();
});

test('200: at most two entries a second, however much happens, and no job is left out', async () => {
  const stream = await follow();
  await change(stream);
  const began = performance.now();
  const made: string[] = [];
  while (performance.now() - began < 2_000) made.push(await newJob(studio.service, studio.key));
  const named: string[] = [];
  let entries = 0;
  while (!made.every((id) => named.includes(id))) {
    named.push(...(await change(stream)).changed);
    entries++;
  }
  expect(entries).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 500));
  expect(named.toSorted()).toEqual(made.toSorted());
  await stream.close();
});

test('200: null where too many have changed to name them', async () => {
  await Promise.all(Array.from({ length: 501 }, () => newJob(studio.service, studio.key)));
  const stream = await follow();
  await change(stream);
  await transact(studio.service.context.db, async (trx) => {
    await sql`update jobs set status = 'accepted', operator_id = ${studio.operator.userId}, held_since = now()
      where status = 'queued'`.execute(trx);
    announce(trx, studio.ada.accountId);
  });
  expect((await change(stream)).changed).toBeNull();
  await stream.close();
});

test('200 for a worker: of its families, and what it holds is mine', async () => {
  const robot = await makeWorker(studio, ['writing']);
  const stream = await follow(robot);
  expect(await change(stream)).toMatchObject({ counts: { to_do: 0, mine: 0 } });
  await newJob(studio.service, studio.key);
  const writing = { service_family: 'writing', service_type: 'blog_article' };
  const id = await newJob(studio.service, studio.key, writing);
  expect(await change(stream)).toMatchObject({ counts: { to_do: 1, free: 1 }, changed: [id] });
  await claim(studio, robot);
  expect(await change(stream)).toMatchObject({ counts: { to_do: 1, free: 0, mine: 1 }, changed: [id] });
  await stream.close();
});

test('200: what happens in another process is sent, too', async () => {
  const other = await createService({}, { databaseUrl: studio.service.databaseUrl });
  const stream = await follow(studio.operator.token, other);
  await change(stream);
  await untilNamed(stream, await newJob(studio.service, studio.key));
  await stream.close();
  await other.close();
});

test('200: it ends with bye soon after the worker key is revoked', async () => {
  const robot = await makeWorker(studio);
  const stream = await follow(robot);
  await change(stream);
  const { body } = await studio.service.call('GET', '/api/operator/v1/worker-keys', { as: studio.operator.token });
  const began = performance.now();
  const path = `/api/operator/v1/worker-keys/${body.worker_keys[0].id}`;
  expect((await studio.service.call('DELETE', path, { as: studio.operator.token })).status).toBe(200);
  const entries = [];
  for (let entry = await stream.next(); entry; entry = await stream.next()) entries.push(entry.event);
  expect(entries.at(-1)).toBe('bye');
  expect(performance.now() - began).toBeLessThan(20_000);
});
