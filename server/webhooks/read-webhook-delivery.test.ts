import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 30_000 };

const read = (id: string, as = studio.key) => studio.service.call('GET', `/api/v1/webhook-deliveries/${id}`, { as });

async function firstDelivery(key: string, endpointId: string): Promise<string> {
  const path = `/api/v1/webhook-endpoints/${endpointId}/deliveries`;
  const { body } = await studio.service.call('GET', path, { as: key });
  return body.webhook_deliveries[0]?.id;
}

test('200: each attempt with what came back, at most 1 kB of it', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  studio.receiver.answer((_, response) => response.writeHead(500).end(`\0${'x'.repeat(100_000)}`));
  await newJob(studio.service, key);
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), within);
  const delivery = await firstDelivery(key, id);
  await vi.waitFor(
    async () => expect((await read(delivery, key)).body.webhook_delivery.attempts).toHaveLength(1),
    within,
  );
  const { status, body } = await read(delivery, key);
  expect(status).toBe(200);
  expect(body.webhook_delivery).toMatchObject({
    id: delivery,
    webhook_endpoint_id: id,
    status: 'retrying',
    attempt_count: 1,
  });
  expect(body.webhook_delivery.attempts[0]).toMatchObject({ status: 500, error: null });
  expect(body.webhook_delivery.attempts[0].answer).toMatch(/^\uFFFDx{1023}$/);
  studio.receiver.answer((_, response) => response.writeHead(204).end());
});
