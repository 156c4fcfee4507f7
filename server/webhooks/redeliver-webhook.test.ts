import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeMoves, newCustomer, newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 30_000 };

const redeliver = (id: string, as = studio.ada.token) =>
  studio.service.call('POST', `/api/v1/webhook-deliveries/${id}/redeliver`, { as });

async function deliveries(key: string, endpointId: string) {
  const path = `/api/v1/webhook-endpoints/${endpointId}/deliveries`;
  return (await studio.service.call('GET', path, { as: key })).body.webhook_deliveries;
}

test('200: the same event under the same id, in a delivery of its own, also when the endpoint is disabled', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  await newJob(studio.service, key);
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), within);
  await studio.service.call('PATCH', `/api/v1/webhook-endpoints/${id}`, { as: person.token, body: { enabled: false } });
  const [first] = await deliveries(key, id);
  const { status, body } = await redeliver(first.id, person.token);
  expect(status).toBe(200);
  expect(body.webhook_delivery).toMatchObject({ webhook_endpoint_id: id, event: first.event, status: 'pending' });
  expect(body.webhook_delivery.id).not.toBe(first.id);
  await vi.waitFor(() => expect(studio.receiver.received.length).toBeGreaterThan(1), within);
  const [one, two] = studio.receiver.received;
  expect(two!.headers['webhook-id']).toBe(one!.headers['webhook-id']);
  await vi.waitFor(async () => {
    expect((await deliveries(key, id))[0]).toMatchObject({ id: body.webhook_delivery.id, status: 'delivered' });
  }, within);
});

test('200: later events of the job do not wait for a redelivery', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  await newEndpoint(studio, {}, person.token);
  studio.receiver.received.length = 0;
  const id = await newJob(studio.service, key);
  const types = () => studio.receiver.received.map(({ event }) => event.type);
  await vi.waitFor(() => expect(types()).toEqual(['job.created']), within);
  const { body } = await studio.service.call('GET', '/api/v1/webhook-endpoints', { as: key });
  const endpointId = body.webhook_endpoints[0].id;
  await vi.waitFor(async () => {
    expect((await deliveries(key, endpointId))[0].status).toBe('delivered');
  }, within);
  let finish = () => {};
  studio.receiver.answer(({ event }, response) => {
    if (event.type === 'job.created') finish = () => response.writeHead(204).end();
    else response.writeHead(204).end();
  });
  const [first] = await deliveries(key, endpointId);
  expect((await redeliver(first.id, person.token)).status).toBe(200);
  await vi.waitFor(() => expect(types()).toEqual(['job.created', 'job.created']), within);
  await makeMoves({ ...studio, key }, id, 'accept');
  await vi.waitFor(() => expect(types().at(-1)).toBe('job.accepted'), within);
  finish();
  studio.receiver.answer((_, response) => response.writeHead(204).end());
});
