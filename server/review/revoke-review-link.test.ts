import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newCustomer, newJob, type Studio } from '../../test/support/jobs.ts';
import { newReviewLink, readReview, revoke } from '../../test/support/review-links.ts';

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
