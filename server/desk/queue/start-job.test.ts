import { beforeAll, expect, test } from 'vitest';
import { deskMove } from '../../../test/support/desk-moves.ts';
import { newJobIn, sharedStudio, pathOf, post, type Studio } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { fence, leasedJob, makeWorker, moveAs } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const start = deskMove(() => studio, 'start');

test('200 from accepted: the job after the move', start.works);
test('200 again with the same Idempotency-Key: one move', start.happensOncePerKey);
test('200 for one of three at the same moment', start.isWonByOne);
test('409 invalid_transition: from any other status', start.isRefusedElsewhere);
test('422 idempotency_key_conflict: the same key with another body', () =>
  start.refusesAnotherBodyWithTheKey({ lease_token: 'another' }));
test('409 invalid_transition: a job that another operator holds', async () => {
  const id = await newJobIn(studio, 'accepted');
  const other = await makeOperator(studio.service);
  const { status, body } = await post(studio.service, other.token, pathOf('start', id));
  expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
  expect((await start.seen(id)).job.status).toBe('accepted');
});

test('200 keeps the moment since when the operator holds the job', async () => {
  const id = await newJobIn(studio, 'queued');
  const accepted = await post(studio.service, studio.operator.token, pathOf('accept', id));
  expect((await start.ask(id)).body.job.holder).toEqual(accepted.body.job.holder);
});

const leased = fence(() => studio, 'start');

test('409 lease_lost: the token of another worker, of another job, of nobody', leased.keepsStrangersOut);
test('409 lease_lost: after the time, noticed or not, and under a later lease', leased.keepsTheLateOut);
test('409 lease_lost: the lease ended while the move waited for the job', leased.keepsOutWhoWaitedTooLong);
test('409 lease_lost: an operator has already made the move', leased.yieldsToAnOperator);
test('422 invalid_request: a worker without a lease_token', leased.needsAToken);

test('200 by a worker, whose lease goes on as it was; the customer sees a worker, and not which', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  const held = async () =>
    (await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token })).body.job.holder;
  const before = await held();
  const { body } = await moveAs(studio, worker, id, 'start', token);
  expect(body.job).toMatchObject({ status: 'running', account: null, holder: before });
  expect(before).toMatchObject({ operator_id: null, worker_key_id: expect.stringMatching(/^wkey_/), name: 'robot' });
  const seen = await start.seen(id);
  expect(seen.events.at(-1)).toMatchObject({ type: 'job.started', actor: 'worker' });
  expect(JSON.stringify(seen)).not.toMatch(/wkey_|robot/);
});

test('200 by an operator under a lease of his own: with the token it goes on, without it he holds the job for good', async () => {
  const as = studio.operator.token;
  const first = await leasedJob(studio, as);
  const kept = await moveAs(studio, as, first.id, 'start', first.token);
  expect(kept.body.job.holder.lease_expires_at).not.toBeNull();
  const second = await leasedJob(studio, as);
  const freed = await moveAs(studio, as, second.id, 'start');
  expect(freed.body.job.holder).toMatchObject({ operator_id: expect.any(String), lease_expires_at: null });
  expect((await moveAs(studio, as, second.id, 'submit', second.token)).body.error.code).toBe('lease_lost');
});
