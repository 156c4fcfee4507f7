import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, makeMoves, newCustomer, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { comment, commentsOf, deliver, newDelivery } from '../../test/support/review.ts';
import { newReviewLink, readReview, revoke, sayAsGuest } from '../../test/support/review-links.ts';

let studio: Studio;
let job: string;
beforeAll(async () => {
  studio = await sharedStudio();
  job = await newJob(studio.service, studio.key);
});

test('200: it stops working at once; a repeat changes nothing', async () => {
  const link = await newReviewLink(studio, job);
  expect((await readReview(studio.service, link.guest)).status).toBe(200);
  const first = await revoke(studio, link);
  expect(first.status).toBe(200);
  expect(first.body.review_link).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
  expect((await readReview(studio.service, link.guest)).body.error.code).toBe('review_link_not_found');
  expect((await revoke(studio, link)).body).toEqual(first.body);
  const { body } = await studio.service.call('GET', `/api/v1/audit?subject=${link.review_link_id}`, {
    as: studio.ada.token,
  });
  expect(body.audit_entries).toMatchObject([
    { action: 'review_link.revoked', actor: 'customer', details: { job_id: job } },
    { action: 'review_link.opened', actor: 'customer', created_by: null, details: { job_id: job } },
    { action: 'review_link.created', actor: 'customer', details: { job_id: job, can_comment: false } },
  ]);
});

test('200: with its comments that were not sent; those of others and those that were sent stay', async () => {
  const { service, ada, operator } = studio;
  const delivery = await newDelivery(studio);
  const link = await newReviewLink(studio, delivery.id, { can_comment: true });
  await sayAsGuest(service, link.guest, delivery.file, 'Sent.');
  await makeMoves(studio, delivery.id, 'revision', 'start');
  const file = await deliver(studio, delivery.id);
  const other = await newReviewLink(studio, delivery.id, { can_comment: true });
  const unsent = (await sayAsGuest(service, link.guest, file, 'Not sent.')).body.comment.id;
  await sayAsGuest(service, other.guest, file, 'Of another link.');
  await comment(studio, { id: delivery.id, file }, 'Of a member.');
  const list = async () =>
    (await service.call('GET', `/api/v1/jobs/${delivery.id}/review-links`, { as: studio.key })).body.review_links;
  expect((await list())[1]).toMatchObject({ comment_count: 2, unsent_comment_count: 1 });

  const path = `/api/v1/jobs/${delivery.id}/review-links/${link.review_link_id}/revoke`;
  const revoked = await post(service, studio.key, path, { delete_comments: true });
  expect([revoked.status, revoked.body.review_link]).toMatchObject([
    200,
    { status: 'revoked', comment_count: 1, unsent_comment_count: 0 },
  ]);
  expect((await post(service, studio.key, path, { delete_comments: true })).body).toEqual(revoked.body);
  const texts = (await commentsOf(studio, delivery.id)).map(({ text }: { text: string }) => text);
  expect(texts).toEqual(['Sent.', 'Of another link.', 'Of a member.']);
  const audit = async (side: string, as: string) =>
    (await service.call('GET', `${side}/audit?subject=${unsent}`, { as })).body.audit_entries;
  const details = { review_link_id: link.review_link_id };
  expect(await audit('/api/v1', ada.token)).toMatchObject([{ action: 'comment.deleted', details }]);
  expect(await audit('/api/operator/v1', operator.token)).toEqual([]);
});

test('200: without a body its comments stay, and a repeat can delete them', async () => {
  const delivery = await newDelivery(studio);
  const link = await newReviewLink(studio, delivery.id, { can_comment: true });
  await sayAsGuest(studio.service, link.guest, delivery.file, 'Rounder.');
  await revoke(studio, link);
  expect(await commentsOf(studio, delivery.id)).toHaveLength(1);
  const path = `/api/v1/jobs/${delivery.id}/review-links/${link.review_link_id}/revoke`;
  await post(studio.service, studio.key, path, { delete_comments: true });
  expect(await commentsOf(studio, delivery.id)).toEqual([]);
});

test('404 review_link_not_found: an unknown link, one of another job, and one of another account', async () => {
  const link = await newReviewLink(studio, job);
  const elsewhere = await newJob(studio.service, studio.key);
  const { key } = await newCustomer(studio.service, 'agent');
  const theirs = await newReviewLink({ ...studio, key }, await newJob(studio.service, key));
  for (const [id, review_link_id] of [
    [job, 'rvl_01jd3vsh8xe7rtx1zqbdnzc4v0'],
    [job, 'nonsense'],
    [job, theirs.review_link_id],
    [elsewhere, link.review_link_id],
  ] as const) {
    const { status, body } = await revoke(studio, { id, review_link_id });
    expect([status, body.error.code]).toEqual([404, 'review_link_not_found']);
  }
  for (const { guest } of [link, theirs]) expect((await readReview(studio.service, guest)).status).toBe(200);
});
