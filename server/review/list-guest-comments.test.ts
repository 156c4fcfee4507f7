import { beforeAll, expect, test } from 'vitest';
import type { As } from '../../test/support/harness.ts';
import { sharedStudio, makeMoves, newJobIn, type Studio } from '../../test/support/jobs.ts';
import { comment, deliver, newDelivery } from '../../test/support/review.ts';
import { newReviewLink, revoke, sayAsGuest } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const list = (guest: As, query = '') => studio.service.call('GET', `/api/v1/review/comments${query}`, { as: guest });
const textsOf = async (guest: As) => (await list(guest)).body.comments.map(({ text }: { text: string }) => text);

test('200: those of members and of all guests on the latest delivery, page by page', async () => {
  const delivery = await newDelivery(studio);
  const [one, two] = [
    await newReviewLink(studio, delivery.id, { can_comment: true }),
    await newReviewLink(studio, delivery.id, { can_comment: true }),
  ];
  await comment(studio, delivery, 'Of a member.', undefined, studio.ada.token);
  await sayAsGuest(studio.service, one.guest, delivery.file, 'Of Vera.');
  await sayAsGuest(studio.service, two.guest, delivery.file, 'Of Otto.', { name: 'Otto' });
  const { status, body } = await list(one.guest);
  expect(status).toBe(200);
  expect(body.comments).toMatchObject([
    { number: 1, text: 'Of a member.', author: { kind: 'customer', name: 'Ada Lovelace' }, editable: false },
    { number: 2, text: 'Of Vera.', author: { kind: 'guest', name: 'Vera' }, editable: true },
    { number: 3, text: 'Of Otto.', author: { kind: 'guest', name: 'Otto' }, editable: false },
  ]);
  const first = await list(one.guest, '?limit=2');
  const rest = await list(one.guest, `?cursor=${first.body.next_cursor}`);
  expect([...first.body.comments, ...rest.body.comments]).toEqual(body.comments);

  // Comments stay readable until the next delivery comes, which has its own.
  await makeMoves(studio, delivery.id, 'revision', 'start');
  expect(await textsOf(one.guest)).toHaveLength(3);
  const second = await deliver(studio, delivery.id);
  expect(await textsOf(one.guest)).toEqual([]);
  await sayAsGuest(studio.service, two.guest, second, 'Better.');
  expect(await textsOf(one.guest)).toEqual(['Better.']);
});

test('200 before the first delivery: none', async () => {
  const { guest } = await newReviewLink(studio, await newJobIn(studio, 'queued'), { can_comment: true });
  expect((await list(guest)).body).toEqual({ comments: [], next_cursor: null });
});

test('400 invalid_request: a cursor of a member', async () => {
  const delivery = await newDelivery(studio);
  const { guest } = await newReviewLink(studio, delivery.id, { can_comment: true });
  for (const text of ['One.', 'Two.']) await comment(studio, delivery, text);
  const { body } = await studio.service.call('GET', `/api/v1/jobs/${delivery.id}/comments?limit=1`, { as: studio.key });
  const { status, body: refused } = await list(guest, `?cursor=${body.next_cursor}`);
  expect([status, refused.error.code]).toEqual([400, 'invalid_request']);
});

test('403 comments_not_allowed: a link that only shows', async () => {
  const delivery = await newDelivery(studio);
  await comment(studio, delivery, 'Ours.');
  const { status, body } = await list((await newReviewLink(studio, delivery.id)).guest);
  expect([status, body.error.code]).toEqual([403, 'comments_not_allowed']);
});

test('404 review_link_not_found: a revoked link', async () => {
  const delivery = await newDelivery(studio);
  const link = await newReviewLink(studio, delivery.id, { can_comment: true });
  await revoke(studio, link);
  const { status, body } = await list(link.guest);
  expect([status, body.error.code]).toEqual([404, 'review_link_not_found']);
});
