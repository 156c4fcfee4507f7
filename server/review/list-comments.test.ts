import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, makeMoves, post, setPlan, type Studio } from '../../test/support/jobs.ts';
import { comment, commentsOf, deliver, newDelivery } from '../../test/support/review.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

const textsOf = (comments: { text: string }[]) => comments.map(({ text }) => text);
const list = (id: string, query = '', as = studio.key) =>
  studio.service.call('GET', `/api/v1/jobs/${id}/comments${query}`, { as });

test('200: in the order of creation, page by page, and by round', async () => {
  const delivery = await newDelivery(studio);
  for (const text of ['One.', 'Two.', 'Three.']) await comment(studio, delivery, text);
  await makeMoves(studio, delivery.id, 'revision', 'start');
  const file = await deliver(studio, delivery.id);
  await comment(studio, { ...delivery, file }, 'Four.');
  const { body: first } = await list(delivery.id, '?limit=2');
  const { body: rest } = await list(delivery.id, `?limit=2&cursor=${first.next_cursor}`);
  expect([textsOf(first.comments), textsOf(rest.comments)]).toEqual([
    ['One.', 'Two.'],
    ['Three.', 'Four.'],
  ]);
  expect(rest.next_cursor).toBeNull();
  expect(textsOf(await commentsOf(studio, delivery.id, '?round=1'))).toEqual(['Four.']);
  expect(await commentsOf(studio, delivery.id, '?round=2')).toEqual([]);
});

test('200: comments of an approved delivery stay with the account, marked as never sent', async () => {
  const delivery = await newDelivery(studio);
  await comment(studio, delivery, 'A thought.');
  expect((await post(studio.service, studio.key, `/api/v1/jobs/${delivery.id}/approve`)).status).toBe(200);
  expect(await commentsOf(studio, delivery.id)).toMatchObject([{ never_sent: true, sent_at: null }]);
});

test.each(['?round=-1', '?round=x', '?limit=0', '?cursor=x', '?sent=true'])(
  '400 invalid_request: %s',
  async (query) => {
    const { status, body } = await list((await newDelivery(studio)).id, query);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);

test('400 invalid_request: the cursor of another round', async () => {
  const delivery = await newDelivery(studio);
  for (const text of ['One.', 'Two.']) await comment(studio, delivery, text);
  const { body } = await list(delivery.id, '?round=0&limit=1');
  expect((await list(delivery.id, `?cursor=${body.next_cursor}`)).status).toBe(400);
});
