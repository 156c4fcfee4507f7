import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { untilBlocked } from '../../../test/support/locks.ts';
import { makeMoves, sharedStudio, post, type Studio, unknownJob, uuidOf } from '../../../test/support/jobs.ts';
import { heartbeat, leasedJob, makeWorker, moveAs, runOut, sweep } from '../../../test/support/workers.ts';

let studio: Studio;
let worker: string;
beforeAll(async () => {
  studio = await sharedStudio();
  worker = await makeWorker(studio);
});

const lost = async (as: string, id: string, token: string) => {
  const { status, body } = await heartbeat(studio, as, id, token);
  expect([status, body.error.code]).toEqual([409, 'lease_lost']);
};

test('200: the lease begins again, with the same token and nothing else changed', async () => {
  const { id, token } = await leasedJob(studio, worker);
  const { db } = studio.service.context;
  await sql`update jobs set lease_expires_at = now() + interval '100 seconds' where id = ${uuidOf('job', id)}`.execute(
    db,
  );
  const before = (await studio.service.call('GET', `/api/v1/jobs/${id}`, { as: studio.key })).body;
  const { status, body } = await heartbeat(studio, worker, id, token);
  expect(status).toBe(200);
  expect(body).toEqual({ lease: { token, expires_at: expect.any(String) }, cancel_requested: false });
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from lease_expires_at - now())::float as left from jobs where id = ${uuidOf('job', id)}`.execute(
    db,
  );
  expect(rows[0]?.left).toBeGreaterThan(290);
  expect((await studio.service.call('GET', `/api/v1/jobs/${id}`, { as: studio.key })).body).toEqual(before);
});

test('200 after a cancellation: the last token is told, again and again, and a stranger is not', async () => {
  const { id, token } = await leasedJob(studio, worker, 'running');
  await makeMoves(studio, id, 'cancel');
  for (let n = 0; n < 2; n++)
    expect((await heartbeat(studio, worker, id, token)).body).toEqual({ lease: null, cancel_requested: true });
  await lost(await makeWorker(studio), id, token);
  await lost(worker, id, 'x');
  expect((await moveAs(studio, worker, id, 'submit', token)).body.error.code).toBe('lease_lost');
});

test('200 for an operator with a lease of his own', async () => {
  const { id, token } = await leasedJob(studio, studio.operator.token);
  expect((await heartbeat(studio, studio.operator.token, id, token)).body.lease.token).toBe(token);
});

test('409 lease_lost: after the time, noticed or not; after submit, release and rejection; under a later lease', async () => {
  const late = await leasedJob(studio, worker);
  await runOut(studio, late.id);
  await lost(worker, late.id, late.token);
  await sweep(studio);
  await lost(worker, late.id, late.token);

  for (const [status, move] of [
    ['running', 'submit'],
    ['running', 'release'],
    ['accepted', 'release'],
  ] as const) {
    const { id, token } = await leasedJob(studio, worker, status);
    await moveAs(studio, worker, id, move, token);
    await lost(worker, id, token);
  }
  const rejected = await leasedJob(studio, worker);
  await makeMoves(studio, rejected.id, 'reject');
  await lost(worker, rejected.id, rejected.token);
});

test('409 lease_lost: the token of another worker, also for an operator', async () => {
  const { id, token } = await leasedJob(studio, worker);
  await lost(await makeWorker(studio), id, token);
  await lost(studio.operator.token, id, token);
  expect((await heartbeat(studio, worker, id, token)).status).toBe(200);
});

test('409 lease_lost: the lease ended while the heartbeat waited for the job', async () => {
  const { db } = studio.service.context;
  const { id, token } = await leasedJob(studio, worker);
  const waiting = await db.transaction().execute(async (trx) => {
    await sql`update jobs set lease_expires_at = clock_timestamp() + interval '700 ms'
      where id = ${uuidOf('job', id)}`.execute(trx);
    const beaten = heartbeat(studio, worker, id, token);
    await untilBlocked(db);
    await sql`select pg_sleep(0.8)`.execute(trx);
    return { beaten };
  });
  const { status, body } = await waiting.beaten;
  expect([status, body.error?.code]).toEqual([409, 'lease_lost']);
});

test('404 job_not_found: an id that names nothing', async () => {
  for (const id of [unknownJob, 'nonsense'])
    expect((await heartbeat(studio, worker, id, 'x')).body.error.code).toBe('job_not_found');
});

test.each([[{}], [{ lease_token: '' }], [{ lease_token: 7 }], [{ lease_token: 'x', lease_seconds: 9 }]])(
  '422 invalid_request: %j',
  async (given) => {
    const { status, body } = await post(studio.service, worker, `/api/operator/v1/jobs/${unknownJob}/heartbeat`, given);
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  },
);
