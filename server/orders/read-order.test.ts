import { beforeAll, expect, test } from 'vitest';
import { draft, newCustomer, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { addMaker, newOrder, readOrder } from '../../test/support/orders.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: all that its maker wrote, who they are, and until when it waits', async () => {
  const { service } = studio;
  const { person: owner } = await newCustomer(service, 'studio');
  const maker = await addMaker(service, owner);
  const id = await newOrder(service, maker, { wanted_by: '2999-01-15T12:00:00.000Z' });
  const order = await readOrder(service, owner.token, id);
  expect(order).toMatchObject({
    ...draft,
    status: 'waiting',
    ready: true,
    version: 1,
    wanted_by: '2999-01-15T12:00:00.000Z',
    created_by: { kind: 'user', id: showId('user', maker.userId), name: 'The member' },
    decided_by: null,
    job_id: null,
    words: null,
  });
  const days = (Date.parse(order.lapses_at) - Date.parse(order.created_at)) / 86_400_000;
  expect(days).toBe(7);
});

test('404 order_not_found: of another account', async () => {
  const { service, ada } = studio;
  const { person: owner } = await newCustomer(service, 'studio');
  const id = await newOrder(service, await addMaker(service, owner));
  for (const unknown of [id, 'ord_01jd3vsh8xe7rtx1zqbdnzc4v0']) {
    const { status, body } = await service.call('GET', `/api/v1/orders/${unknown}`, { as: ada.token });
    expect([status, body.error.code]).toEqual([404, 'order_not_found']);
  }
});
