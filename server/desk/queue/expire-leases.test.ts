import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  activeJobsOf,
  makeMoves,
  newJobIn,
  createStudio,
  readJob,
  setPlan,
  type Studio,
  usedOf,
  uuidOf,
} from '../../../test/support/jobs.ts';
import { bookFaults } from '../../../test/support/seed.ts';
import { claim, leasedJob, lonelyJob, makeWorker, moveAs, runOut, sweep } from '../../../test/support/workers.ts';

let studio: Studio;
let worker: string;
// Of its own: it checks the whole database.
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});
afterAll(() => studio.service.close());
beforeEach(async () => {
  worker = await makeWorker(studio);
});

const read = (id: string) => readJob(studio.service, studio.key, id);

test.each(['accepted', 'running'] as const)(
  'a lease that ran out puts a job that is %s back in the queue',
  async (from) => {
    const { id, family } = await leasedJob(studio, worker, from);
    const stood = [await usedOf(studio.service, studio.ada), await activeJobsOf(studio.service, studio.ada)];
    await runOut(studio, id);
    await sweep(studio);
    const { job, events } = await read(id);
    expect(job.status).toBe('queued');
    expect(events.at(-1)).toMatchObject({ type: 'job.requeued', actor: 'service', job: { previous_status: from } });
    expect(events.at(-1).request_id).toMatch(/^req_/);
    expect([await usedOf(studio.service, studio.ada), await activeJobsOf(studio.service, studio.ada)]).toEqual(stood);
    expect((await claim(studio, worker, { service_families: [family] })).body.job.id).toBe(id);
  },
);

test('a lease that lasts, a hold without one, and a job that nobody holds stay as they are', async () => {
  const ids = [
    (await leasedJob(studio, worker)).id,
    await newJobIn(studio, 'running'),
    await newJobIn(studio, 'queued'),
    await newJobIn(studio, 'needs_review'),
  ];
  const before = await Promise.all(ids.map(read));
  await sweep(studio);
  expect(await Promise.all(ids.map(read))).toEqual(before);
});

test('a revision whose lease ran out is queued like any other job, and nothing is charged or given back', async () => {
  const { id, family, token } = await leasedJob(studio, worker, 'running');
  await moveAs(studio, worker, id, 'submit', token);
  await makeMoves(studio, id, 'pass', 'revision');
  await claim(studio, worker, { service_families: [family] });
  await runOut(studio, id);
  await sweep(studio);
  expect((await read(id)).job).toMatchObject({ status: 'queued', revisions: { used: 1 } });
  expect(await bookFaults(studio.service.context.db)).toEqual([]);
});

test('sweeps at the same moment count each lease once', async () => {
  const workers = [worker, await makeWorker(studio)];
  const leased = await Promise.all(Array.from({ length: 20 }, (_, n) => leasedJob(studio, workers[n % 2]!)));
  for (const { id } of leased) await runOut(studio, id);
  await Promise.all([sweep(studio), sweep(studio), sweep(studio), sweep(studio)]);
  await sweep(studio);
  for (const { id } of leased) {
    const { events } = await read(id);
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['job.created', 'job.accepted', 'job.requeued']);
  }
  expect(await bookFaults(studio.service.context.db)).toEqual([]);
});

test('a job that cannot be moved holds up no other', async () => {
  const [bad, good] = [await leasedJob(studio, worker), await leasedJob(studio, worker)];
  const { db, log } = studio.service.context;
  const broken = db.updateTable('jobs').where('id', '=', uuidOf('job', bad.id));
  await broken.set({ last_seq: 1 }).execute(); // its next event is there already
  for (const { id } of [bad, good]) await runOut(studio, id);
  const level = log.level;
  log.level = 'silent';
  await sweep(studio);
  log.level = level;
  expect((await read(bad.id)).job.status).toBe('accepted');
  expect((await read(good.id)).job.status).toBe('queued');
  await broken.set({ last_seq: 2 }).execute();
  await sweep(studio);
  expect((await read(bad.id)).job.status).toBe('queued');
});

test('a revision resets the count of expired leases, so one more does not park the job', async () => {
  const { db } = studio.service.context;
  const { id, family } = await lonelyJob(studio);
  const row = db.updateTable('jobs').where('id', '=', uuidOf('job', id));
  await row.set({ quality_review: false }).execute(); // no operator moves it, which would reset the count, too
  const mine = { service_families: [family] };
  for (let expired = 0; expired < 4; expired++) {
    await claim(studio, worker, mine);
    await runOut(studio, id);
    await sweep(studio);
  }
  const { token } = (await claim(studio, worker, mine)).body.lease;
  await moveAs(studio, worker, id, 'start', token);
  await moveAs(studio, worker, id, 'submit', token);
  await makeMoves(studio, id, 'revision');
  await claim(studio, worker, mine);
  await runOut(studio, id);
  await sweep(studio);
  expect((await claim(studio, worker, mine)).body).toMatchObject({ job: { id, parked: false } });
});
