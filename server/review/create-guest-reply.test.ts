import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeMoves, post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { readId } from '../../server/lib/id.ts';
import { comment, commentsOf, deliver, newDelivery, reply } from '../../test/support/review.ts';
import { newReviewLink, replyAsGuest, revoke, sayAsGuest } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

async function shared() {
  const delivery = await newDelivery(studio);
  const link = await newReviewLink(studio, delivery.id, { can_comment: true });
  const { body } = await comment(studio, delivery, 'Rounder.');
  const commentId: string = body.comment.id;
  return {
    delivery,
    link,
    commentId,
    say: (text: string) => replyAsGuest(studio.service, link.guest, commentId, text),
  };
}

test('201: under the name that the guest enters, read by members and by other guests', async () => {
  const { delivery, link, commentId, say } = await shared();
  const { status, body } = await say('Blue, too.');
  expect([status, body.comment.replies[0]]).toEqual([
    201,
    expect.objectContaining({ author: { kind: 'guest', name: 'Vera' }, text: 'Blue, too.', editable: true }),
  ]);
  await reply(studio, delivery.id, commentId, 'Yes.', studio.ada.token);
  const { body: read } = await studio.service.call('GET', '/api/v1/review/comments', { as: link.guest });
  expect(read.comments[0].replies).toMatchObject([{ editable: true }, { text: 'Yes.', editable: false }]);
  expect((await commentsOf(studio, delivery.id))[0].replies[0]).toMatchObject({ editable: false });
  const { body: links } = await studio.service.call('GET', `/api/v1/jobs/${delivery.id}/review-links`, {
    as: studio.key,
  });
  expect(links.review_links[0]).toMatchObject({ comment_count: 1, unsent_comment_count: 1 });
});

test('403 comments_not_allowed: a link that only shows', async () => {
  const { delivery, commentId } = await shared();
  const { guest } = await newReviewLink(studio, delivery.id);
  const refused = await replyAsGuest(studio.service, guest, commentId, 'Hello.');
  expect([refused.status, refused.body.error.code]).toEqual([403, 'comments_not_allowed']);
});

test('403 limit_reached: comments and replies of one link are 50 together', async () => {
  const { delivery, link, commentId, say } = await shared();
  await sql`
    insert into comment_replies (account_id, job_id, comment_id, text, guest_name, review_link_id)
    select ${studio.ada.accountId}, ${readId('job', delivery.id)}, ${readId('cmt', commentId)}, 'More.', 'Vera',
      ${readId('rvl', link.review_link_id)} from generate_series(1, 49)`.execute(studio.service.context.db);
  expect((await say('The last.')).status).toBe(201);
  expect((await say('Too many.')).body.error.code).toBe('limit_reached');
  const { body } = await sayAsGuest(studio.service, link.guest, delivery.file, 'Too many.');
  expect(body.error.message).toBe('The link has 50 comments and replies that were not sent; it may have 50.');
});

test('404 comment_not_found: of another job, and of an earlier delivery', async () => {
  const [mine, other] = [await shared(), await shared()];
  const { status, body } = await replyAsGuest(studio.service, mine.link.guest, other.commentId, 'Hello.');
  expect([status, body.error.code]).toEqual([404, 'comment_not_found']);
  await makeMoves(studio, mine.delivery.id, 'revision', 'start');
  await deliver(studio, mine.delivery.id);
  expect((await mine.say('Late.')).body.error.code).toBe('comment_not_found');
});

test('404 review_link_not_found: a revoked link', async () => {
  const other = await shared();
  await revoke(studio, other.link);
  expect((await other.say('Late.')).body.error.code).toBe('review_link_not_found');
});

test('409 invalid_transition: after approval', async () => {
  const { delivery, say } = await shared();
  await makeMoves(studio, delivery.id, 'approve');
  expect((await say('Late.')).body.error.code).toBe('invalid_transition');
});

test('422 unsafe_request: a card number; a name with a slash is refused, too', async () => {
  const { link, commentId, say } = await shared();
  expect((await say('Pay with 4111 1111 1111 1111.')).body.error.code).toBe('unsafe_request');
  const { body } = await replyAsGuest(studio.service, link.guest, commentId, 'Hello.', 'a/b');
  expect(body.error.code).toBe('invalid_request');
});

test('revoking with delete_comments takes the replies of the link along, under comments of members, too', async () => {
  const { delivery, link, say } = await shared();
  await say('Blue, too.');
  const path = `/api/v1/jobs/${delivery.id}/review-links/${link.review_link_id}/revoke`;
  expect((await post(studio.service, studio.key, path, { delete_comments: true })).status).toBe(200);
  expect(await commentsOf(studio, delivery.id)).toMatchObject([{ text: 'Rounder.', replies: [] }]);
});
