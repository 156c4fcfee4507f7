import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, makeMoves, newCustomer, setPlan, type Studio, unknownJob } from '../../test/support/jobs.ts';
import { comment, commentsOf, newDelivery } from '../../test/support/review.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

const change = (id: string, commentId: string, body: object, as = studio.key) =>
  studio.service.call('PATCH', `/api/v1/jobs/${id}/comments/${commentId}`, { as, body });

async function newComment(at?: string, as = studio.key) {
  const delivery = await newDelivery(studio);
  const { body } = await comment(studio, delivery, 'Rounder.', at, as);
  return { job: delivery.id, id: body.comment.id as string };
}

test('200: text and place; what the body leaves out stays', async () => {
  const { job, id } = await newComment('xywh=percent:1,2,3,4');
  expect((await change(job, id, { text: 'Flatter.' })).body.comment).toMatchObject({
    text: 'Flatter.',
    at: 'xywh=percent:1,2,3,4',
  });
  const { status, body } = await change(job, id, { at: 'xywh=percent:5,6,0,0' });
  expect([status, body.comment.text, body.comment.at]).toEqual([200, 'Flatter.', 'xywh=percent:5,6,0,0']);
  expect((await change(job, id, { at: null })).body.comment.at).toBeNull();
  expect(await commentsOf(studio, job)).toMatchObject([{ id, number: 1, text: 'Flatter.', at: null }]);
});

test('409 invalid_transition: by anybody but its author', async () => {
  const { job, id } = await newComment();
  const { status, body } = await change(job, id, { text: 'Mine now.' }, studio.ada.token);
  expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
  expect(await commentsOf(studio, job)).toMatchObject([{ text: 'Rounder.' }]);
});

test('404 job_not_found and comment_not_found: unknown, of another job, or of another account', async () => {
  const mine = await newComment();
  const other = await newComment();
  const eve = await newCustomer(studio.service, 'studio');
  for (const [job, id, as, code] of [
    [unknownJob, mine.id, studio.key, 'job_not_found'],
    [mine.job, mine.id, eve.key, 'job_not_found'],
    [mine.job, other.id, studio.key, 'comment_not_found'],
    [mine.job, 'cmt_01jd3vsh8xe7rtx1zqbdnzc4v0', studio.key, 'comment_not_found'],
    [mine.job, 'nonsense', studio.key, 'comment_not_found'],
  ] as const) {
    const { status, body } = await change(job, id, { text: 'Flatter.' }, as);
    expect([status, body.error.code]).toEqual([404, code]);
  }
});

test('404 comment_not_found: the author has deleted it', async () => {
  const { job, id } = await newComment();
  await studio.service.call('DELETE', `/api/v1/jobs/${job}/comments/${id}`, { as: studio.key });
  expect((await change(job, id, { text: 'Flatter.' })).status).toBe(404);
});

test.each([{ text: '' }, { text: null }, { at: 'page=1' }, { at: 'x' }, { file_id: 'file_x' }])(
  '422 invalid_request: %j',
  async (changes) => {
    const { job, id } = await newComment();
    const { status, body } = await change(job, id, changes);
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  },
);

test('422 unsafe_request: a credential in the text', async () => {
  const { job, id } = await newComment();
  const { status, body } = await change(job, id, { text: studio.key });
  expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
});

test('200: a comment that was never sent may still be changed by its author', async () => {
  const { job, id } = await newComment();
  await makeMoves(studio, job, 'approve');
  expect((await change(job, id, { text: 'For us.' })).body.comment).toMatchObject({
    never_sent: true,
    text: 'For us.',
  });
});
