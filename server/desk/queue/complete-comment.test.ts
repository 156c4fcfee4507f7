import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { followEvents } from '../../../test/support/event-stream.ts';
import { sharedStudio, makeMoves, post, setPlan, type Studio } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import {
  check,
  comment,
  commentsOf,
  deliver,
  deskCommentsOf,
  newDelivery,
  newRevision,
} from '../../../test/support/review.ts';
import { claim, makeWorker, moveToFamily } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

test('200: done with a note, which the customer reads with the next delivery and not before', async () => {
  const { id, comments } = await newRevision(studio, 'One.', 'Two.');
  const { status, body } = await check(studio, id, comments[0]!, 'done', { note: 'Rounder now.' });
  expect(status).toBe(200);
  expect(body.comment).toMatchObject({ id: comments[0], done_at: expect.any(String), done_note: 'Rounder now.' });
  expect((await deskCommentsOf(studio, id)).body.comments).toMatchObject([body.comment, { done_at: null }]);
  const asCustomer = async () =>
    (await commentsOf(studio, id)).map(({ done_at, done_note }: Record<string, unknown>) => [done_at, done_note]);
  expect(await asCustomer()).toEqual([
    [null, null],
    [null, null],
  ]);
  await makeMoves(studio, id, 'start');
  await deliver(studio, id);
  expect(await asCustomer()).toEqual([
    [body.comment.done_at, 'Rounder now.'],
    [null, null],
  ]);
});

test('200: a second time replaces the note', async () => {
  const { id, comments } = await newRevision(studio, 'One.');
  await check(studio, id, comments[0]!, 'done', { note: 'Rounder.' });
  expect((await check(studio, id, comments[0]!)).body.comment.done_note).toBeNull();
});

test('200: the open pages of other operators learn of it', async () => {
  const { id, comments } = await newRevision(studio, 'One.');
  const colleague = await makeOperator(studio.service);
  const stream = await followEvents(studio.service, colleague.token, { path: '/api/operator/v1/queue/stream' });
  await stream.next();
  await check(studio, id, comments[0]!);
  for (;;) {
    const entry = await stream.next();
    if (entry?.data.changed.includes(id)) break;
  }
  await stream.close();
});

test('409 lease_lost: a worker with another token; 200 with its own, for what the claim answered', async () => {
  const { id, comments } = await newRevision(studio, 'One.');
  await makeMoves(studio, id, 'release');
  const worker = await makeWorker(studio);
  const { body } = await claim(studio, worker, { service_families: [await moveToFamily(studio.service, id)] });
  expect(body.revision).toMatchObject({ round: 1, instructions: '', comments: [{ id: comments[0], text: 'One.' }] });
  const lost = await check(studio, id, comments[0]!, 'done', { lease_token: randomUUID() }, worker);
  expect([lost.status, lost.body.error.code]).toEqual([409, 'lease_lost']);
  const done = await check(studio, id, comments[0]!, 'done', { lease_token: body.lease.token }, worker);
  expect([done.status, done.body.comment.author.name]).toEqual([200, '']);
});

test('409 invalid_transition: a comment of an earlier revision, or of a job that the studio does not have', async () => {
  const { id, comments } = await newRevision(studio, 'One.');
  await makeMoves(studio, id, 'start');
  await deliver(studio, id);
  const early = await check(studio, id, comments[0]!);
  expect([early.status, early.body.error.code]).toEqual([409, 'invalid_transition']);
  expect(early.body.error.message).toContain('ready_for_customer_review');
  await makeMoves(studio, id, 'revision');
  const late = await check(studio, id, comments[0]!);
  expect([late.status, late.body.error.message]).toEqual([409, expect.stringContaining('earlier revision')]);
});

test('404 comment_not_found: of another job, or not sent', async () => {
  const [one, two] = [await newRevision(studio, 'One.'), await newRevision(studio, 'Two.')];
  const delivery = await newDelivery(studio);
  const { body } = await comment(studio, delivery, 'Not sent.');
  for (const [id, commentId] of [
    [one.id, two.comments[0]!],
    [delivery.id, body.comment.id],
    [one.id, 'nonsense'],
  ] as const) {
    const answer = await check(studio, id, commentId);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'comment_not_found']);
  }
});

test.each([{ note: '' }, { note: ' ' }, { note: 'x'.repeat(2_001) }, { done: true }])(
  '422 invalid_request: %j',
  async (body) => {
    const { id, comments } = await newRevision(studio, 'One.');
    expect((await check(studio, id, comments[0]!, 'done', body)).status).toBe(422);
  },
);

test('work with open comments can be submitted', async () => {
  const { id } = await newRevision(studio, 'One.');
  await makeMoves(studio, id, 'start');
  const path = `/api/operator/v1/jobs/${id}/submit`;
  expect((await post(studio.service, studio.operator.token, path, { message: 'Done.' })).status).toBe(200);
});
