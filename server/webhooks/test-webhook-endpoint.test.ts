import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 10_000 };

const tryOut = (id: string, as = studio.ada.token) =>
  studio.service.call('POST', `/api/v1/webhook-endpoints/${id}/test`, { as });

test('200: a test event for this endpoint alone, once, also when it is disabled', async () => {
  const { id } = await newEndpoint(studio);
  await newEndpoint(studio); // the other hears nothing
  await studio.service.call('POST', `/api/v1/webhook-endpoints/${id}`, {
    as: studio.ada.token,
    body: { enabled: false },
  });
  studio.receiver.received.length = 0;
  studio.receiver.answer((_, response) => response.writeHead(500).end('no'));
  const { status, body } = await tryOut(id);
  expect(status).toBe(200);
  expect(body.delivery).toMatchObject({ endpoint_id: id, status: 'pending', event: { type: 'webhook_endpoint.test' } });
  const read = () => studio.service.call('GET', `/api/v1/webhook-deliveries/${body.delivery.id}`, { as: studio.key });
  await vi.waitFor(async () => expect((await read()).body.delivery.status).toBe('dead'), within);
  expect((await read()).body.delivery.attempts).toMatchObject([{ status: 500, answer: 'no', error: null }]);
  const tests = studio.receiver.received.filter(({ event }) => event.type === 'webhook_endpoint.test');
  expect(tests.map(({ event }) => event.data.endpoint_id)).toEqual([id]);
  studio.receiver.answer((_, response) => response.writeHead(204).end());
});

test('404 webhook_endpoint_not_found: of another account', async () => {
  const { person } = await newCustomer(studio.service);
  const { id } = await newEndpoint(studio, {}, person.token);
  const { status, body } = await tryOut(id);
  expect([status, body.error.code]).toEqual([404, 'webhook_endpoint_not_found']);
});

test('it costs no delivery of jobs', async () => {
  const { body } = await studio.service.call('GET', '/api/v1/events?types=webhook_endpoint.test', { as: studio.key });
  expect(body.events).toHaveLength(1);
  expect(await newJob(studio.service, studio.key)).toMatch(/^job_/);
});
