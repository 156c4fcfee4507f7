import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 30_000 };

const remove = (id: string, as = studio.ada.token) =>
  studio.service.call('DELETE', `/api/v1/webhook-endpoints/${id}`, { as });

test('200: with its deliveries, and nothing comes any more', async () => {
  const { id } = await newEndpoint(studio);
  await newJob(studio.service, studio.key);
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), within);
  const { status, body } = await remove(id);
  expect([status, body.webhook_endpoint.id]).toEqual([200, id]);
  await newJob(studio.service, studio.key);
  const left = await studio.service.context.db.selectFrom('webhook_deliveries').select('id').execute();
  expect(left).toEqual([]);
  expect((await remove(id)).status).toBe(404);
});
