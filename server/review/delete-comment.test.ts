import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { readId } from '../../server/lib/id.ts';
import { sharedStudio, makeMoves, setPlan, type Studio } from '../../test/support/jobs.ts';
import { comment, commentsOf, newDelivery } from '../../test/support/review.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

const remove = (id: string, commentId: string, as = studio.key) =>
  studio.service.call('DELETE', `/api/v1/jobs/${id}/comments/${commentId}`, { as });

async function twoComments() {
  const delivery = await newDelivery(studio);
  const ids: string[] = [];
  for (const text of ['One.', 'Two.']) ids.push((await comment(studio, delivery, text)).body.comment.id);
  return { job: delivery.id, ids };
}

test('200: it is gone, and the numbers close up', async () => {
  const { job, ids } = await twoComments();
  const { status, body } = await remove(job, ids[0] ?? '');
  expect([status, body.comment.text]).toEqual([200, 'One.']);
  expect(await commentsOf(studio, job)).toMatchObject([{ id: ids[1], number: 1, text: 'Two.' }]);
});

test('200: a member deletes the comment of a guest', async () => {
  const { job, ids } = await twoComments();
  await studio.service.context.db
    .updateTable('job_comments')
    .set({ api_key_id: null, guest_name: 'Grace', review_link_id: randomUUID() })
    .where('id', '=', readId('cmt', ids[0] ?? ''))
    .execute();
  expect((await commentsOf(studio, job))[0]).toMatchObject({
    author: { kind: 'guest', name: 'Grace' },
    editable: false,
  });
  expect((await remove(job, ids[0] ?? '', studio.ada.token)).status).toBe(200);
  expect(await commentsOf(studio, job)).toHaveLength(1);
});

test('409 invalid_transition: the comment of another member', async () => {
  const { job, ids } = await twoComments();
  const { status, body } = await remove(job, ids[0] ?? '', studio.ada.token);
  expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
  expect(await commentsOf(studio, job)).toHaveLength(2);
});

const outcome = async (job: string, id = '') => {
  const { status, body } = await remove(job, id);
  return [status, body.error.code];
};

test('404 comment_not_found: of another job, or deleted before', async () => {
  const [mine, other] = [await twoComments(), await twoComments()];
  expect(await outcome(mine.job, other.ids[0])).toEqual([404, 'comment_not_found']);
  await remove(mine.job, mine.ids[0] ?? '');
  expect(await outcome(mine.job, mine.ids[0])).toEqual([404, 'comment_not_found']);
});

test('200: a comment that was never sent may still be deleted by its author', async () => {
  const { job, ids } = await twoComments();
  await makeMoves(studio, job, 'approve');
  expect((await remove(job, ids[0] ?? '')).status).toBe(200);
});
