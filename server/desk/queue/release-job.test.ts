import { beforeAll, expect, test } from 'vitest';
import { deskMove } from '../../../test/support/desk-moves.ts';
import { makeMoves, newJobIn, sharedStudio, pathOf, post, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { fence, leasedJob, makeWorker, moveAs } from '../../../test/support/workers.ts';

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

test('200 by a worker: back in the queue, and no attempt is counted', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker, 'running');
  expect((await moveAs(studio, worker, id, 'release', token)).body.job).toMatchObject({
    status: 'queued',
    holder: null,
  });
  const { db } = studio.service.context;
  const row = db.selectFrom('jobs').select('lease_expiries').where('id', '=', uuidOf('job', id));
  expect(await row.executeTakeFirst()).toEqual({ lease_expiries: 0 });
});
