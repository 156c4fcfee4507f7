import { afterAll, beforeAll, expect, test } from 'vitest';
import { deskMove } from '../../test/support/desk-moves.ts';
import { newJobIn, createStudio, pathOf, post, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const pass = deskMove(() => studio, 'pass');

test('200 from needs_review: the job after the move', pass.works);
test('200 again with the same Idempotency-Key: one move', pass.happensOncePerKey);
test('200 for one of three at the same moment', pass.isWonByOne);
test('409 invalid_transition: from any other status', pass.isRefusedElsewhere);
test('404 job_not_found: an id that names nothing', pass.findsNothing);
test('422 invalid_request: an unknown field and a bad Idempotency-Key', () => pass.refusesBodies());

test('200 by any operator, and the time for review begins', async () => {
  const id = await newJobIn(studio, 'needs_review');
  const other = await makeOperator(studio.service);
  const { status, body } = await post(studio.service, other.token, pathOf('pass', id));
  expect(status).toBe(200);
  expect(Date.parse(body.job.review_due_at) - Date.parse(body.job.status_changed_at)).toBe(120 * 3600_000);
  expect(body.job.holder).toBeNull();
});
