import { rates } from '../../contract/rates.ts';
import { createService } from '../../test/support/harness.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 30_000 };

const tryOut = (id: string, as = studio.ada.token) =>
  studio.service.call('POST', `/api/v1/webhook-endpoints/${id}/test`, { as });

test('429 rate_limit_exceeded: the eleventh test of an account in a minute', async () => {
  expect(rates.test_webhook).toEqual({ account: { limit: 10, windowSeconds: 60 } });
  const service = await createService(
    { RATE_TEST_WEBHOOK: 'account=2/60' },
    { databaseUrl: studio.service.databaseUrl },
  );
  const { person } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  const path = `/api/v1/webhook-endpoints/${id}/test`;
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await service.call('POST', path, { as: person.token })).status);
  expect(statuses).toEqual([200, 200, 429]);
  await service.close();
});

test('200: a test event for this endpoint alone, once, also when it is disabled', async () => {
  const { id } = await newEndpoint(studio);
  const { id: other } = await newEndpoint(studio); // gets nothing
  await studio.service.call('PATCH', `/api/v1/webhook-endpoints/${id}`, {
    as: studio.ada.token,
    body: { enabled: false },
  });
  studio.receiver.received.length = 0;
  studio.receiver.answer((_, response) => response.writeHead(500).end('no'));
  const { status, body } = await tryOut(id);
  expect(status).toBe(200);
  expect(body.webhook_delivery).toMatchObject({
    webhook_endpoint_id: id,
    status: 'pending',
    event: { type: 'webhook_endpoint.test' },
  });
  const read = () =>
    studio.service.call('GET', `/api/v1/webhook-deliveries/${body.webhook_delivery.id}`, { as: studio.key });
  await vi.waitFor(async () => expect((await read()).body.webhook_delivery.status).toBe('dead'), within);
  expect((await read()).body.webhook_delivery.attempts).toMatchObject([{ status: 500, answer: 'no', error: null }]);
  const tests = studio.receiver.received.filter(({ event }) => event.type === 'webhook_endpoint.test');
  const tried = tests.map(({ event }) => event.data.webhook_endpoint_id);
  expect(tried.filter((endpoint) => endpoint === id || endpoint === other)).toEqual([id]);
  studio.receiver.answer((_, response) => response.writeHead(204).end());
});

test('a test delays no delivery of jobs', async () => {
  const { body } = await studio.service.call('GET', '/api/v1/events?types=webhook_endpoint.test', { as: studio.key });
  expect(body.events).toHaveLength(1);
  expect(await newJob(studio.service, studio.key)).toMatch(/^job_/);
});
