import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 30_000 };

const list = (id: string, query = '', as = studio.key) =>
  studio.service.call('GET', `/api/v1/webhook-endpoints/${id}/deliveries${query}`, { as });

test('200: newest first, by status, page after page', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  studio.receiver.answer(({ event }, response) => response.writeHead(event.seq % 2 === 0 ? 503 : 200).end());
  for (let n = 0; n < 5; n++) await newJob(studio.service, key);
  await vi.waitFor(async () => {
    const { body } = await list(id, '', key);
    expect(body.webhook_deliveries.filter(({ status }: { status: string }) => status !== 'pending')).toHaveLength(5);
  }, within);
  const { status, body } = await list(id, '', key);
  expect(status).toBe(200);
  const seqs = body.webhook_deliveries.map(({ event }: { event: { seq: number } }) => event.seq);
  expect(seqs).toEqual(seqs.toSorted((a: number, b: number) => b - a));
  const delivered = await list(id, '?status=delivered', key);
  expect(delivered.body.webhook_deliveries.every(({ event }: { event: { seq: number } }) => event.seq % 2 === 1)).toBe(
    true,
  );
  const retrying = await list(id, '?status=retrying,dead', key);
  expect(retrying.body.webhook_deliveries.length + delivered.body.webhook_deliveries.length).toBe(5);
  expect(retrying.body.webhook_deliveries[0]).toMatchObject({ attempt_count: 1, finished_at: null });
  expect(retrying.body.webhook_deliveries[0].next_attempt_at).not.toBeNull();
  const paged = async () => {
    const deliveries = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { body: { webhook_deliveries: unknown[]; next_cursor: string | null } } = await list(
        id,
        `?limit=2${cursor && `&cursor=${cursor}`}`,
        key,
      );
      deliveries.push(...page.body.webhook_deliveries);
      cursor = page.body.next_cursor;
    }
    return deliveries;
  };
  // Between the two, one may be tried again.
  await vi.waitFor(
    async () => expect(await paged()).toEqual((await list(id, '', key)).body.webhook_deliveries),
    within,
  );
  studio.receiver.answer((_, response) => response.writeHead(204).end());
});

test('400 invalid_request: an unknown status, a cursor of another endpoint', async () => {
  const { id } = await newEndpoint(studio);
  for (const query of ['?status=lost', '?cursor=x', '?limit=0', '?limit=101']) {
    const { status, body } = await list(id, query);
    expect([status, body.error.code], query).toEqual([400, 'invalid_request']);
  }
});
