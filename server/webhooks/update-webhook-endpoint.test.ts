import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const update = (id: string, body: object, as = studio.ada.token) =>
  studio.service.call('PATCH', `/api/v1/webhook-endpoints/${id}`, { as, body });
const heard = (id: string) => studio.receiver.received.filter(({ event }) => event.job?.id === id);

test('200: changes the given fields only', async () => {
  const { id } = await newEndpoint(studio, { description: 'before', types: ['job.created'] });
  const { status, body } = await update(id, { description: null, url: `${studio.receiver.url}/next` });
  expect(status).toBe(200);
  expect(body.webhook_endpoint).toMatchObject({
    url: `${studio.receiver.url}/next`,
    description: null,
    types: ['job.created'],
    enabled: true,
  });
  expect((await update(id, { types: null })).body.webhook_endpoint.types).toBeNull();
  await update(id, { enabled: false });
});

test('200: a disabled endpoint keeps its cursor; enabled again it continues there, or from now', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  const disabled = await update(id, { enabled: false }, person.token);
  expect(disabled.body.webhook_endpoint).toMatchObject({ enabled: false, disabled_reason: 'by_person' });
  const missed = await newJob(studio.service, key);
  await wait(500);
  expect(heard(missed)).toEqual([]);
  await update(id, { enabled: true }, person.token);
  await vi.waitFor(() => expect(heard(missed)).toHaveLength(1), { timeout: 30_000 });
  await update(id, { enabled: false }, person.token);
  const passed = await newJob(studio.service, key);
  await update(id, { enabled: true, resume: 'now' }, person.token);
  const next = await newJob(studio.service, key);
  await vi.waitFor(() => expect(heard(next)).toHaveLength(1), { timeout: 30_000 });
  expect(heard(passed)).toEqual([]);
});

test('422 webhook_url_refused: a private address, and nothing changes', async () => {
  const { id } = await newEndpoint(studio, { types: ['job.rejected'] });
  const { status, body } = await update(id, { url: 'https://10.1.2.3/', enabled: false });
  expect([status, body.error.code]).toEqual([422, 'webhook_url_refused']);
  const { body: list } = await studio.service.call('GET', '/api/v1/webhook-endpoints', { as: studio.key });
  expect(list.webhook_endpoints[0]).toMatchObject({ id, url: studio.receiver.url, enabled: true });
});

test('422 invalid_request: resume without enabling, an unknown word', async () => {
  const { id } = await newEndpoint(studio, { types: ['job.rejected'] });
  for (const body of [{ resume: 'now' }, { enabled: false, resume: 'now' }, { enabled: 'yes' }, { resume: 'later' }]) {
    const answer = await update(id, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
  }
});
