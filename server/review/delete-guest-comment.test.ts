import { beforeAll, expect, test } from 'vitest';
import type { As } from '../../test/support/harness.ts';
import { sharedStudio, makeMoves, type Studio } from '../../test/support/jobs.ts';
import { comment, commentsOf, deliver, newDelivery } from '../../test/support/review.ts';
import { newReviewLink, revoke, sayAsGuest } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

/** A delivery with a comment of a guest. */
async function commented() {
  const delivery = await newDelivery(studio);
  const link = await newReviewLink(studio, delivery.id, { can_comment: true });
  const { body } = await sayAsGuest(studio.service, link.guest, delivery.file, 'Rounder.');
  return { delivery, link, written: body.comment };
}
const remove = (guest: As, id: string) => studio.service.call('DELETE', `/api/v1/review/comments/${id}`, { as: guest });
const said = ({ status, body }: Awaited<ReturnType<typeof remove>>) => [status, body.error?.code];

test('200: a comment that was made through the link, also by another guest of it', async () => {
  const { delivery, link, written } = await commented();
  const { status, body } = await remove(link.guest, written.id);
  expect([status, body.comment]).toEqual([200, written]);
  expect(await commentsOf(studio, delivery.id)).toEqual([]);
  const { body: audit } = await studio.service.call('GET', `/api/v1/audit?subject=${written.id}`, {
    as: studio.ada.token,
  });
  expect(audit.audit_entries).toMatchObject([
    { action: 'comment.deleted', created_by: null, details: { review_link_id: link.review_link_id } },
  ]);
});

test('403 comments_not_allowed: a link that only shows', async () => {
  const { delivery, written } = await commented();
  const { guest } = await newReviewLink(studio, delivery.id);
  expect(said(await remove(guest, written.id))).toEqual([403, 'comments_not_allowed']);
});

test('404 comment_not_found: an unknown one, one of another job, one that is gone, one of an earlier delivery', async () => {
  const { delivery, link, written } = await commented();
  const other = await commented();
  await remove(other.link.guest, other.written.id);
  const third = await commented();
  for (const id of ['cmt_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', third.written.id, other.written.id])
    expect(said(await remove(link.guest, id))).toEqual([404, 'comment_not_found']);
  await makeMoves(studio, delivery.id, 'revision', 'start');
  await deliver(studio, delivery.id);
  expect(said(await remove(link.guest, written.id))).toEqual([404, 'comment_not_found']);
});

test('404 review_link_not_found: a revoked link', async () => {
  const { delivery, link, written } = await commented();
  await revoke(studio, link);
  expect(said(await remove(link.guest, written.id))).toEqual([404, 'review_link_not_found']);
  expect(await commentsOf(studio, delivery.id)).toHaveLength(1);
});

test('409 invalid_transition: of a member, of another link, sent, and kept after approval', async () => {
  const { delivery, link, written } = await commented();
  const { body: mine } = await comment(studio, delivery, 'Mine.');
  const other = await newReviewLink(studio, delivery.id, { can_comment: true });
  const invalid = [409, 'invalid_transition'];
  expect(said(await remove(link.guest, mine.comment.id))).toEqual(invalid);
  expect(said(await remove(other.guest, written.id))).toEqual(invalid);
  await makeMoves(studio, delivery.id, 'revision');
  expect(said(await remove(link.guest, written.id))).toEqual(invalid);

  const approved = await commented();
  await makeMoves(studio, approved.delivery.id, 'approve');
  expect(said(await remove(approved.link.guest, approved.written.id))).toEqual(invalid);
  expect(await commentsOf(studio, approved.delivery.id)).toMatchObject([{ never_sent: true }]);
});

test('a member deletes the comment of a guest', async () => {
  const { delivery, written } = await commented();
  const path = `/api/v1/jobs/${delivery.id}/comments/${written.id}`;
  expect((await studio.service.call('DELETE', path, { as: studio.ada.token })).status).toBe(200);
  expect(await commentsOf(studio, delivery.id)).toEqual([]);
});
