import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJob, type Studio } from '../../test/support/jobs.ts';
import { newReviewLink, readReview, revoke } from '../../test/support/review-links.ts';

let studio: Studio;
let job: string;
beforeAll(async () => {
  studio = await sharedStudio();
  job = await newJob(studio.service, studio.key);
});

const list = (id = job, as = studio.key, query = '') =>
  studio.service.call('GET', `/api/v1/jobs/${id}/review-links${query}`, { as });

test('200: the links of the job, newest first, with what became of each, and never a token', async () => {
  const links = [];
  for (const name of ['One', 'Two', 'Three']) links.push(await newReviewLink(studio, job, { name }));
  await newReviewLink(studio, await newJob(studio.service, studio.key));
  await revoke(studio, links[0]!);
  await readReview(studio.service, links[1]!.guest);
  await studio.service.context.db
    .updateTable('review_links')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('name', '=', 'Three')
    .execute();
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body.review_links).toMatchObject([
    { name: 'Three', status: 'expired', opened_at: null, revoked_at: null },
    { name: 'Two', status: 'active', opened_at: expect.any(String), revoked_at: null },
    { name: 'One', status: 'revoked', opened_at: null, revoked_at: expect.any(String) },
  ]);
  for (const { token } of links) expect(JSON.stringify(body)).not.toContain(token.split('_')[2]);
  const page = await list(job, studio.key, '?limit=1');
  expect(page.body.review_links).toEqual(body.review_links.slice(0, 1));
  const rest = await list(job, studio.key, `?cursor=${page.body.next_cursor}`);
  expect(rest.body.review_links).toEqual(body.review_links.slice(1));
});

test('400 invalid_request: a cursor of another job', async () => {
  const { body } = await list(job, studio.key, '?limit=1');
  const other = await newJob(studio.service, studio.key);
  const answer = await list(other, studio.key, `?cursor=${body.next_cursor}`);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
});
