import { beforeAll, describe, expect, test } from 'vitest';
import { makeMoves, post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { comment, commentsOf, deliver, deskCommentsOf, newDelivery, settle } from '../../test/support/review.ts';

const ada = 'Ada Lovelace';
let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

async function commented(...texts: string[]) {
  const delivery = await newDelivery(studio);
  const ids: string[] = [];
  for (const text of texts) ids.push((await comment(studio, delivery, text)).body.comment.id);
  return { ...delivery, ids };
}
const revise = (id: string, body: object) => post(studio.service, studio.key, `/api/v1/jobs/${id}/revision`, body);

describe('200', () => {
  test('200: any member settles the comment of another, by name, and opens it again', async () => {
    const { id, ids } = await commented('Rounder.');
    const { status, body } = await settle(studio, id, ids[0]!, true, studio.ada.token);
    expect([status, body.comment.settled_by]).toEqual([200, ada]);
    expect(body.comment.settled_at).toEqual(expect.any(String));
    const again = await settle(studio, id, ids[0]!);
    expect(again.body.comment, 'the first call counts').toMatchObject({ settled_by: ada });
    expect((await settle(studio, id, ids[0]!, false)).body.comment).toMatchObject({
      settled_at: null,
      settled_by: null,
    });
  });

  test('a request for changes leaves it out; the others have the same numbers at the desk and for the customer', async () => {
    const { id, ids } = await commented('One.', 'Two.', 'Three.');
    await settle(studio, id, ids[0]!);
    expect((await revise(id, { round: 0 })).status).toBe(200);
    const numbered = (comments: { number: number; text: string }[]) =>
      comments.map(({ number, text }) => [number, text]);
    expect(numbered((await deskCommentsOf(studio, id)).body.comments)).toEqual([
      [1, 'Two.'],
      [2, 'Three.'],
    ]);
    await makeMoves(studio, id, 'start');
    await deliver(studio, id);
    const mine = await commentsOf(studio, id, '?round=0');
    expect(numbered(mine)).toEqual([
      [3, 'One.'],
      [1, 'Two.'],
      [2, 'Three.'],
    ]);
    expect(mine[0]).toMatchObject({ sent_at: null, never_sent: true });
    expect((await settle(studio, id, ids[0]!, false)).status).toBe(409);
  });

  test('422 invalid_request of a revision without words: all comments are settled', async () => {
    const { id, ids } = await commented('One.');
    await settle(studio, id, ids[0]!);
    const { status, body } = await revise(id, { round: 0 });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
    expect((await revise(id, { round: 0, customer_instructions: 'Bluer.' })).status).toBe(200);
    expect((await deskCommentsOf(studio, id)).body.comments).toEqual([]);
  });
});

test('404 comment_not_found: of another job', async () => {
  const [mine, other] = [await commented('One.'), await commented('Two.')];
  const { status, body } = await settle(studio, mine.id, other.ids[0]!);
  expect([status, body.error.code]).toEqual([404, 'comment_not_found']);
});

test('409 invalid_transition: sent, or approved without it', async () => {
  const [sent, approved] = [await commented('One.'), await commented('Two.')];
  await revise(sent.id, { round: 0 });
  await makeMoves(studio, approved.id, 'approve');
  for (const { id, ids } of [sent, approved])
    expect((await settle(studio, id, ids[0]!)).body.error.code).toBe('invalid_transition');
});
