import { beforeAll, expect, test } from 'vitest';
import { deskMove } from '../../../test/support/desk-moves.ts';
import { newJobIn, sharedStudio, pathOf, post, type Studio } from '../../../test/support/jobs.ts';
import { showId } from '../../lib/id.ts';
import { makeOperator } from '../../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const sendBack = deskMove(() => studio, 'return');

test('200 from needs_review: the job after the move', sendBack.works);
test('200 again with the same Idempotency-Key: one move', sendBack.happensOncePerKey);
test('200 for one of three at the same moment', sendBack.isWonByOne);
test('409 invalid_transition: from any other status', sendBack.isRefusedElsewhere);
test('422 idempotency_key_conflict: the same key with another body', () =>
  sendBack.refusesAnotherBodyWithTheKey({ note: 'another note' }));
test('422 invalid_request: an unknown field, a bad Idempotency-Key, a note that is none', () =>
  sendBack.refusesBodies({}, { note: '' }, { note: ' ' }, { note: 'x'.repeat(10_001) }, { note: 1 }));

test('200 gives the job back to the operator who held it, also if another one returns it; the note is internal', async () => {
  const id = await newJobIn(studio, 'needs_review');
  const other = await makeOperator(studio.service);
  const { body } = await post(studio.service, other.token, pathOf('return', id), { note: 'The kerning.' });
  expect(body.job.holder).toMatchObject({
    operator_id: showId('user', studio.operator.userId),
    since: body.job.status_changed_at,
  });
  expect(body.job.notes).toMatchObject([{ body: 'The kerning.', created_by: { id: showId('user', other.userId) } }]);
  expect(JSON.stringify(await sendBack.seen(id))).not.toContain('kerning');
});
