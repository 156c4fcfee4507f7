import { beforeAll, expect, test } from 'vitest';
import type { As } from '../../test/support/harness.ts';
import { makeMoves, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { comment, commentsOf, newDelivery, reply } from '../../test/support/review.ts';
import { newReviewLink, replyAsGuest, revoke } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

async function replied() {
  const delivery = await newDelivery(studio);
  const link = await newReviewLink(studio, delivery.id, { can_comment: true });
  const commentId: string = (await comment(studio, delivery, 'Rounder.')).body.comment.id;
  const { body } = await replyAsGuest(studio.service, link.guest, commentId, 'Blue, too.');
  return { delivery, link, commentId, replyId: body.comment.replies[0].id as string };
}
const remove = (as: As, commentId: string, replyId: string) =>
  studio.service.call('DELETE', `/api/v1/review/comments/${commentId}/replies/${replyId}`, { as });

test('200: a reply that was made through the link', async () => {
  const { delivery, link, commentId, replyId } = await replied();
  const { status, body } = await remove(link.guest, commentId, replyId);
  expect([status, body.comment.replies]).toEqual([200, []]);
  expect((await commentsOf(studio, delivery.id))[0].replies).toEqual([]);
});

test('403 comments_not_allowed: a link that only shows', async () => {
  const { delivery, commentId, replyId } = await replied();
  const { guest } = await newReviewLink(studio, delivery.id);
  expect((await remove(guest, commentId, replyId)).body.error.code).toBe('comments_not_allowed');
});

test('404 comment_not_found: of another job', async () => {
  const [mine, other] = [await replied(), await replied()];
  expect((await remove(mine.link.guest, other.commentId, other.replyId)).body.error.code).toBe('comment_not_found');
});

test('404 reply_not_found: of another comment', async () => {
  const [mine, other] = [await replied(), await replied()];
  expect((await remove(mine.link.guest, mine.commentId, other.replyId)).body.error.code).toBe('reply_not_found');
});

test('404 review_link_not_found: a revoked link', async () => {
  const mine = await replied();
  await revoke(studio, mine.link);
  expect((await remove(mine.link.guest, mine.commentId, mine.replyId)).body.error.code).toBe('review_link_not_found');
});

test('409 invalid_transition: of a member, of another link, and after approval', async () => {
  const { delivery, link, commentId, replyId } = await replied();
  const { body } = await reply(studio, delivery.id, commentId, 'Mine.');
  const other = await newReviewLink(studio, delivery.id, { can_comment: true });
  expect((await remove(link.guest, commentId, body.comment.replies[1].id)).body.error.code).toBe('invalid_transition');
  expect((await remove(other.guest, commentId, replyId)).body.error.code).toBe('invalid_transition');
  await makeMoves(studio, delivery.id, 'approve');
  expect((await remove(link.guest, commentId, replyId)).body.error.code).toBe('invalid_transition');
});
