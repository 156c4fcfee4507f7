import { beforeAll, expect, test } from 'vitest';
import { createJob, newCustomer, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { confirm as confirmBrief, change, readySession } from '../../test/support/intake.ts';
import { toldTo } from '../../test/support/notifications.ts';
import { addMaker, confirm, decline, newOrder, orderIn, readOrder } from '../../test/support/orders.ts';
import { addMember, type TestPerson } from '../../test/support/people.ts';

let studio: Studio;
let owner: TestPerson;
let key: string;
let maker: Awaited<ReturnType<typeof addMaker>>;
beforeAll(async () => {
  studio = await sharedStudio();
  ({ person: owner, key } = await newCustomer(studio.service, 'studio'));
  maker = await addMaker(studio.service, owner);
});

const said = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? ''}`.trim();

test('200: the words reach the maker in the feed, the bell and the answer to the same request', async () => {
  const { service } = studio;
  const id = await newOrder(service, maker, {}, 'declined');
  const { status, body } = await decline(service, owner.token, id, 'The old sign is fine.');
  expect([status, body.order.status, body.order.words]).toEqual([200, 'declined', 'The old sign is fine.']);
  const { body: feed } = await service.call('GET', '/api/v1/events?types=order.declined', { as: key });
  expect(feed.events.at(-1)).toMatchObject({ job: null, data: { order_id: id, words: 'The old sign is fine.' } });
  expect((await toldTo(service, maker))[0]).toMatchObject({ kind: 'order_decided', path: `/orders/${id}` });
  const again = await createJob(service, maker.token, {}, 'declined');
  expect(said(again)).toBe('403 confirmation_required');
  expect(again.body.error).toMatchObject({
    message: expect.stringContaining('declined'),
    details: [{ location: 'order', message: 'The old sign is fine.' }],
  });
});

test('200: the draft stays its maker’s; as it was it stays declined, and changed it waits again', async () => {
  const { service } = studio;
  const ready = await readySession(service, maker.token);
  const first = orderIn(await confirmBrief(service, maker.token, ready.id));
  await decline(service, owner.token, first);
  expect(orderIn(await confirmBrief(service, maker.token, ready.id))).toBe(first);
  await change(service, maker.token, ready.id, { customer_title: 'One logo only' });
  const second = orderIn(await confirmBrief(service, maker.token, ready.id));
  expect(second).not.toBe(first);
  expect((await readOrder(service, owner.token, second)).status).toBe('waiting');
  expect((await readOrder(service, owner.token, first)).version).toBe(1);
});

test('403 role_required: a member', async () => {
  const colleague = await addMember(studio.service, owner, 'member');
  const id = await newOrder(studio.service, maker);
  expect(said(await decline(studio.service, colleague.token, id))).toBe('403 role_required');
});

test('404 order_not_found: an unknown id', async () => {
  expect(said(await decline(studio.service, owner.token, 'ord_01jd3vsh8xe7rtx1zqbdnzc4v0'))).toBe(
    '404 order_not_found',
  );
});

test('409 order_changed: it was decided before', async () => {
  const id = await newOrder(studio.service, maker);
  await decline(studio.service, owner.token, id);
  expect(said(await decline(studio.service, owner.token, id))).toBe('409 order_changed');
  expect(said(await confirm(studio.service, owner.token, id))).toBe('409 order_changed');
});

test('422 invalid_request: without words', async () => {
  const id = await newOrder(studio.service, maker);
  expect(said(await decline(studio.service, owner.token, id, ' '))).toBe('422 invalid_request');
});

test('422 unsafe_request: with a secret in the words', async () => {
  const id = await newOrder(studio.service, maker);
  expect(said(await decline(studio.service, owner.token, id, 'Pay with 4242 4242 4242 4242'))).toBe(
    '422 unsafe_request',
  );
});
