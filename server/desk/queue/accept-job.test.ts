import { beforeAll, expect, test } from 'vitest';
import { deskMove } from '../../../test/support/desk-moves.ts';
import { makeMoves, newJob, sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const accept = deskMove(() => studio, 'accept');

test('200 from queued: the job after the move', accept.works);
test('200 again with the same Idempotency-Key: one move', accept.happensOncePerKey);
test('200 for one of three at the same moment', accept.isWonByOne);
test('409 invalid_transition: from any other status', accept.isRefusedElsewhere);
test('200 and the operator holds the job', async () => {
  const id = await newJob(studio.service, studio.key);
  const { body } = await accept.ask(id);
  expect(body.job.holder).toEqual({
    operator_id: showId('user', studio.operator.userId),
    worker_key_id: null,
    name: expect.any(String),
    since: body.job.status_changed_at,
    lease_expires_at: null,
  });
});

test('200 also for a job that was released', async () => {
  const id = await newJob(studio.service, studio.key);
  expect(await makeMoves(studio, id, 'accept', 'release', 'accept')).toMatchObject({ status: 'accepted' });
});
