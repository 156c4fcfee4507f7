import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeMoves, post, setPlan, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { readId } from '../lib/id.ts';
import { addMember } from '../../test/support/people.ts';
import { comment, commentsOf, deliver, deskCommentsOf, newDelivery, reply, settle } from '../../test/support/review.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000, quota: 1000 });
});

async function commented(text = 'Rounder.') {
  const delivery = await newDelivery(studio);
  const { body } = await comment(studio, delivery, text);
  return { ...delivery, commentId: body.comment.id as string };
}
const revise = (id: string, body: object) => post(studio.service, studio.key, `/api/v1/jobs/${id}/revision`, body);

describe('201', () => {
  test('201: anybody of the account replies; each reads whose reply it is and whether it is theirs', async () => {
    const { id, commentId } = await commented();
    const mira = await addMember(studio.service, studio.ada, 'member', 'Mira');
    const { status, body, headers } = await reply(studio, id, commentId, 'Blue, too.', mira.token);
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/jobs/${id}/comments`]);
    const [written] = body.comment.replies;
    expect(written).toMatchObject({ text: 'Blue, too.', author: { kind: 'customer', name: 'Mira' }, editable: true });
    await reply(studio, id, commentId, 'And green.', studio.ada.token);
    const [read] = await commentsOf(studio, id);
    expect(read).toMatchObject({
      id: commentId,
      replies: [
        { id: written.id, editable: false },
        { text: 'And green.', editable: false },
      ],
    });
  });

  test('the studio reads it under its comment once changes are requested, in the order of creation', async () => {
    const { id, commentId } = await commented();
    for (const text of ['One.', 'Two.']) await reply(studio, id, commentId, text, studio.ada.token);
    expect((await deskCommentsOf(studio, id)).body.comments).toEqual([]);
    expect((await revise(id, { round: 0 })).status).toBe(200);
    const [sent] = (await deskCommentsOf(studio, id)).body.comments;
    expect(sent.replies).toMatchObject([{ text: 'One.', editable: false }, { text: 'Two.' }]);
    const { body } = await studio.service.call('GET', `/api/v1/jobs/${id}`, { as: studio.key });
    expect(body.revision.comments[0].replies).toHaveLength(2);
  });
});

test('403 limit_reached: comments and replies of a round, also settled ones, are 200 together', async () => {
  const { id, commentId } = await commented();
  await settle(studio, id, commentId);
  await sql`
    insert into comment_replies (account_id, job_id, comment_id, text, user_id)
    select ${studio.ada.accountId}, ${readId('job', id)}, ${readId('cmt', commentId)}, 'More.', ${studio.ada.userId}
    from generate_series(1, 198)`.execute(studio.service.context.db);
  expect((await reply(studio, id, commentId, 'The last.')).status).toBe(201);
  for (const { status, body } of [
    await reply(studio, id, commentId, 'Too many.'),
    await comment(studio, { id, file: (await commentsOf(studio, id))[0].file_id }, 'Too many.'),
  ])
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      'limit_reached',
      'The round has 200 comments and replies; it may have 200.',
    ]);
});

test('404 comment_not_found: of another job', async () => {
  const [mine, other] = [await commented(), await commented()];
  const { status, body } = await reply(studio, mine.id, other.commentId, 'Hello.');
  expect([status, body.error.code]).toEqual([404, 'comment_not_found']);
});

test('409 invalid_transition: sent, approved, or settled in an earlier round', async () => {
  const sent = await commented();
  const settled = (await comment(studio, sent, 'Never mind.')).body.comment.id;
  await settle(studio, sent.id, settled);
  await revise(sent.id, { round: 0 });
  await makeMoves(studio, sent.id, 'start');
  await deliver(studio, sent.id);
  const approved = await commented();
  await makeMoves(studio, approved.id, 'approve');
  const answers = [
    await reply(studio, sent.id, sent.commentId, 'Late.'),
    await reply(studio, sent.id, settled, 'Late.'),
    await reply(studio, approved.id, approved.commentId, 'Late.'),
  ];
  expect(answers.map(({ status, body }) => [status, body.error.code, body.error.message])).toEqual([
    [409, 'invalid_transition', 'The comment was sent to the studio and stays as it is.'],
    [409, 'invalid_transition', 'The comment is about delivery 1, whose review has ended.'],
    [409, 'invalid_transition', expect.stringContaining('The job is completed')],
  ]);
});

test('422 unsafe_request: a card number', async () => {
  const { id, commentId } = await commented();
  const { status, body } = await reply(studio, id, commentId, 'Pay with 4111 1111 1111 1111.');
  expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
  expect((await commentsOf(studio, id))[0].replies).toEqual([]);
});
