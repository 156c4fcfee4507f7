import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { deskMove } from '../../../test/support/desk-moves.ts';
import { makeMoves, newJobIn, sharedStudio, pathOf, post, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { claim, fence, leasedJob, makeWorker } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const release = deskMove(() => studio, 'release');

test('200 from accepted and running: the job after the move', release.works);
test('200 again with the same Idempotency-Key: one move', release.happensOncePerKey);
test('200 for one of three at the same moment', release.isWonByOne);
test('409 invalid_transition: from any other status', release.isRefusedElsewhere);
test('422 idempotency_key_conflict: the same key with another body', () =>
  release.refusesAnotherBodyWithTheKey({ lease_token: 'another' }));
test('403 role_required: a maker releases a job that another operator holds; 200 for a lead', async () => {
  const id = await newJobIn(studio, 'running');
  const [maker, lead] = [await makeOperator(studio.service, 'maker'), await makeOperator(studio.service, 'lead')];
  const { status, body } = await post(studio.service, maker.token, pathOf('release', id));
  expect([status, body.error.code]).toEqual([403, 'role_required']);
  expect(body.error.message).toContain('a lead or owner');
  expect((await release.seen(id)).job.status).toBe('running');
  expect((await post(studio.service, lead.token, pathOf('release', id))).status).toBe(200);
  expect((await release.seen(id)).job.status).toBe('queued');
});

test('200 and anyone may take the job', async () => {
  const id = await newJobIn(studio, 'running');
  expect((await release.ask(id)).body.job.holder).toBeNull();
  const other = await makeOperator(studio.service);
  expect((await post(studio.service, other.token, pathOf('accept', id))).status).toBe(200);
});

test('200 of a revision, which then belongs to nobody', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await makeMoves(studio, id, 'revision', 'release', 'accept', 'start', 'submit', 'pass');
  expect((await release.seen(id)).job.revisions.used).toBe(1);
});

const leased = fence(() => studio, 'release');

test('409 lease_lost: the token of another worker, of another job, of nobody', leased.keepsStrangersOut);
test('409 lease_lost: after the time, noticed or not, and under a later lease', leased.keepsTheLateOut);
test('409 lease_lost: the lease ended while the move waited for the job', leased.keepsOutWhoWaitedTooLong);
test('409 lease_lost: an operator has already made the move', leased.yieldsToAnOperator);
test('422 invalid_request: a worker without a lease_token', leased.needsAToken);

const atDesk = async (id: string) =>
  (await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token })).body.job;
const rowOf = (id: string) =>
  studio.service.context.db
    .selectFrom('jobs')
    .select(['lease_expiries', 'worker_released_at'])
    .where('id', '=', uuidOf('job', id))
    .executeTakeFirstOrThrow();
const giveBack = (worker: string, id: string, token: string, reason?: string) =>
  post(studio.service, worker, pathOf('release', id), { lease_token: token, ...(reason && { reason }) });
/** As if its minute were over. */
const waitAMinute = (id: string) =>
  sql`update jobs set worker_released_at = worker_released_at - interval '61 seconds' where id = ${uuidOf('job', id)}`.execute(
    studio.service.context.db,
  );

test('200 by a worker: back in the queue, why is an internal note of its key, and it counts', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker, 'running');
  const { body } = await giveBack(worker, id, token, 'The source file cannot be read.');
  expect(body.job).toMatchObject({ status: 'queued', holder: null, notes: [] });
  expect((await atDesk(id)).notes).toMatchObject([
    {
      body: 'The source file cannot be read.',
      created_by: { kind: 'worker_key', id: expect.stringMatching(/^wkey_/) },
    },
  ]);
  expect(await rowOf(id)).toMatchObject({ lease_expiries: 1 });
  const { body: customers } = await studio.service.call('GET', `/api/v1/jobs/${id}`, { as: studio.key });
  expect(JSON.stringify(customers)).not.toContain('cannot be read');
});

test('200 by an operator: why is a note of theirs, and what workers gave back counts no more', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker, 'running');
  await giveBack(worker, id, token);
  await makeMoves(studio, id, 'accept');
  const path = pathOf('release', id);
  expect((await post(studio.service, studio.operator.token, path, { reason: 'Needs a native speaker.' })).status).toBe(
    200,
  );
  expect((await atDesk(id)).notes).toMatchObject([{ body: 'Needs a native speaker.', created_by: { kind: 'user' } }]);
  expect(await rowOf(id)).toMatchObject({ lease_expiries: 0 });
});

test('a worker gets what it gave back again after a minute; another one at once, and the fifth time parks it', async () => {
  const [worker, other] = [await makeWorker(studio), await makeWorker(studio)];
  const { id, token, family } = await leasedJob(studio, worker, 'running');
  const take = (as: string) => claim(studio, as, { service_families: [family] });
  await giveBack(worker, id, token);
  expect((await take(worker)).status).toBe(204);
  const { body: next } = await take(other);
  expect(next.job.id).toBe(id);
  await giveBack(other, id, next.lease.token);
  for (let times = 2; times < 5; times++) {
    await waitAMinute(id);
    const { body } = await take(worker);
    await giveBack(worker, id, body.lease.token, `Time ${times + 1}.`);
  }
  expect(await atDesk(id)).toMatchObject({ parked: true, status: 'queued' });
  await waitAMinute(id);
  expect((await take(worker)).status).toBe(204);
});

test('422 invalid_request: an empty reason', async () => {
  const id = await newJobIn(studio, 'running');
  const { status, body } = await post(studio.service, studio.operator.token, pathOf('release', id), { reason: ' ' });
  expect([status, body.error.details]).toMatchObject([422, [{ location: '/reason' }]]);
});
