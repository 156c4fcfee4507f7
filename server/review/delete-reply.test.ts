import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { readId } from '../lib/id.ts';
import type { As } from '../../test/support/harness.ts';
import { makeMoves, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { comment, commentsOf, newDelivery, reply } from '../../test/support/review.ts';
import { newReviewLink, replyAsGuest } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

async function replied() {
  const delivery = await newDelivery(studio);
  const { body } = await comment(studio, delivery, 'Rounder.');
  const commentId: string = body.comment.id;
  const answer = await reply(studio, delivery.id, commentId, 'Blue, too.');
  return { ...delivery, commentId, replyId: answer.body.comment.replies[0].id as string };
}
const remove = (id: string, commentId: string, replyId: string, as: As = studio.key) =>
  studio.service.call('DELETE', `/api/v1/jobs/${id}/comments/${commentId}/replies/${replyId}`, { as });

test('200: its author deletes it; every member that of a guest', async () => {
  const { id, commentId, replyId } = await replied();
  const { guest } = await newReviewLink(studio, id, { can_comment: true });
  const { body: said } = await replyAsGuest(studio.service, guest, commentId, 'Red.');
  const { status, body } = await remove(id, commentId, replyId);
  expect([status, body.comment.replies.length]).toEqual([200, 1]);
  expect((await remove(id, commentId, said.comment.replies[1].id, studio.ada.token)).status).toBe(200);
  expect((await commentsOf(studio, id))[0].replies).toEqual([]);
});

test('200: a comment takes its replies along', async () => {
  const { id, commentId } = await replied();
  expect(
    (await studio.service.call('DELETE', `/api/v1/jobs/${id}/comments/${commentId}`, { as: studio.key })).status,
  ).toBe(200);
  const { rows } = await sql`
    select from comment_replies where comment_id = ${readId('cmt', commentId)}`.execute(studio.service.context.db);
  expect(rows.length).toBe(0);
});

test('404 comment_not_found: of another job', async () => {
  const [mine, other] = [await replied(), await replied()];
  expect((await remove(mine.id, other.commentId, other.replyId)).body.error.code).toBe('comment_not_found');
});

test('404 reply_not_found: of another comment, or deleted before', async () => {
  const [mine, other] = [await replied(), await replied()];
  expect((await remove(mine.id, mine.commentId, other.replyId)).body.error.code).toBe('reply_not_found');
  await remove(mine.id, mine.commentId, mine.replyId);
  expect((await remove(mine.id, mine.commentId, mine.replyId)).status).toBe(404);
});

test('409 invalid_transition: of another member, or after approval', async () => {
  const { id, commentId, replyId } = await replied();
  expect((await remove(id, commentId, replyId, studio.ada.token)).body.error.code).toBe('invalid_transition');
  await makeMoves(studio, id, 'approve');
  expect((await remove(id, commentId, replyId)).body.error.code).toBe('invalid_transition');
  expect((await commentsOf(studio, id))[0].replies).toHaveLength(1);
});
