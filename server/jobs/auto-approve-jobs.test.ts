import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activeJobsOf,
  makeMoves,
  newCustomer,
  newJobIn,
  createStudio,
  readJob,
  type Studio,
  tryMove,
  usedOf,
  uuidOf,
} from '../../test/support/jobs.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { bookFaults } from '../../test/support/seed.ts';
import { autoApproveJobs } from './auto-approve-jobs.ts';

let studio: Studio;
// Of its own: it checks the whole database.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const read = (id: string) => readJob(studio.service, studio.key, id);
const run = (stopped = new AbortController().signal) =>
  autoApproveJobs(studio.service.context.db, studio.service.context.log, stopped);
const timeEnds = (id: string) =>
  sql`update jobs set review_due_at = now() - interval '1 ms' where id = ${uuidOf('job', id)}`.execute(
    studio.service.context.db,
  );

test('a job whose review time has ended is approved by the service', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await timeEnds(id);
  const stood = [await usedOf(studio.service, studio.ada), await activeJobsOf(studio.service, studio.ada)] as const;
  await run();
  const { job, events } = await read(id);
  expect(job).toMatchObject({ status: 'completed', review_due_at: null, allowed_actions: [] });
  expect(events.slice(-2)).toMatchObject([
    { type: 'job.auto_approved', actor: 'service', job: { status: 'ready_for_customer_review' } },
    {
      type: 'job.completed',
      actor: 'service',
      job: { status: 'completed', previous_status: 'ready_for_customer_review' },
    },
  ]);
  expect(await usedOf(studio.service, studio.ada)).toEqual(stood[0]);
  expect(await activeJobsOf(studio.service, studio.ada)).toBe(stood[1] - 1);
});

test('a job that still has time, and one that was revised since, are left alone', async () => {
  const [waiting, revised] = [
    await newJobIn(studio, 'ready_for_customer_review'),
    await newJobIn(studio, 'ready_for_customer_review'),
  ];
  await timeEnds(revised);
  await makeMoves(studio, revised, 'revision');
  const before = [await read(waiting), await read(revised)];
  await run();
  expect([await read(waiting), await read(revised)]).toEqual(before);
});

test('a job whose time for review was extended after it was found is left alone', async () => {
  const { db } = studio.service.context;
  const [slow, extended] = [
    await newJobIn(studio, 'ready_for_customer_review'),
    await newJobIn(studio, 'ready_for_customer_review'),
  ];
  await sql`update jobs set review_due_at = now() - interval '1 hour' where id = ${uuidOf('job', slow)}`.execute(db);
  await timeEnds(extended);
  const running = await db.transaction().execute(async (trx) => {
    // The first job waits for the counters of its account, so the search has found both jobs.
    await sql`select from account_counters where account_id = ${studio.ada.accountId} for update`.execute(trx);
    const runs = run();
    await untilBlocked(db);
    const later = sql`now() + interval '1 hour'`;
    await sql`update jobs set review_due_at = ${later} where id = ${uuidOf('job', extended)}`.execute(db);
    return { runs };
  });
  await running.runs;
  expect((await read(slow)).job.status).toBe('completed');
  expect((await read(extended)).job.status).toBe('ready_for_customer_review');
});

test('concurrent runs and the customer complete each job once', async () => {
  const { key } = await newCustomer(studio.service, 'studio');
  const ids = [];
  for (let n = 0; n < 8; n++) ids.push(await newJobIn({ ...studio, key }, 'ready_for_customer_review'));
  for (const id of ids) await timeEnds(id);
  const own = { ...studio, key };
  await Promise.all([run(), run(), run(), ...ids.slice(0, 4).map((id) => tryMove(own, id, 'approve'))]);
  await run();
  for (const id of ids) {
    const { job, events } = await readJob(studio.service, key, id);
    expect(job.status).toBe('completed');
    expect(events.filter(({ type }: { type: string }) => type === 'job.completed')).toHaveLength(1);
  }
  expect(await bookFaults(studio.service.context.db)).toEqual([]);
});

test('a run that is told to stop starts nothing more', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await timeEnds(id);
  await run(AbortSignal.abort());
  expect((await read(id)).job.status).toBe('ready_for_customer_review');
});
