import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeMoves, newCustomer, newJob, waysTo } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';
import { readId } from '../lib/id.ts';
import { type Claimed, claimDeliveries } from './claim-deliveries.ts';
import { DeliveryEngine } from './delivery-engine.ts';
import { recordAttempts } from './record-attempts.ts';

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

/** A job whose first event arrived and whose second, `job.accepted`, failed twice: its next attempt is in minutes. */
async function blockedJob() {
  const customer = await newCustomer(studio.service, 'studio');
  const { id: endpointId } = await newEndpoint(studio, {}, customer.person.token);
  studio.receiver.received.length = 0;
  studio.receiver.answer(({ event }, response) => response.writeHead(event.type === 'job.created' ? 204 : 500).end());
  const id = await newJob(studio.service, customer.key);
  await makeMoves({ ...studio, key: customer.key }, id, ...waysTo.ready_for_customer_review);
  const list = () => deliveries(customer.key, endpointId);
  const find = async (type: string, status: string) =>
    (await list()).find(({ event, ...row }: Row) => event.type === type && row.status === status);
  const { db } = studio.service.context;
  const skipWait = sql`update webhook_deliveries d set due_at = now() where endpoint_id = ${readId('hook', endpointId)}
    and attempts = 1 and done_at is null and exists (select from webhook_attempts a where a.delivery_id = d.id)`;
  await vi.waitFor(async () => {
    await skipWait.execute(db);
    const { next_attempt_at } = await find('job.accepted', 'retrying');
    expect(Date.parse(next_attempt_at) - Date.now()).toBeGreaterThan(100_000);
  }, within);
  const types = () =>
    studio.receiver.received.filter(({ event }) => event.job?.id === id).map(({ event }) => event.type.slice(4));
  return { ...customer, id, endpointId, list, find, types };
}
type Row = { id: string; status: string; event: { type: string } };

const waitingTypes = ['started', 'submitted', 'ready_for_customer_review'];

test('a redelivery that arrives ends the waiting delivery of its event, and later events of the job follow', async () => {
  const { person, find, list, types } = await blockedJob();
  studio.receiver.received.length = 0;
  studio.receiver.answer((_, response) => response.writeHead(204).end());
  const waiting = await find('job.accepted', 'retrying');
  expect((await redeliver(waiting.id, person.token)).status).toBe(200);
  await vi.waitFor(() => expect(types()).toEqual(['accepted', ...waitingTypes]), within);
  expect((await list()).find(({ id }: Row) => id === waiting.id)).toMatchObject({
    status: 'delivered',
    attempt_count: 2,
    next_attempt_at: null,
    finished_at: expect.any(String),
  });
  await vi.waitFor(async () => {
    expect((await list()).filter(({ status }: Row) => status !== 'delivered')).toEqual([]);
  }, within);
  expect(types()).toHaveLength(4);
});

test('a redelivery that fails changes nothing about the waiting delivery', async () => {
  const { person, find, types } = await blockedJob();
  const waiting = await find('job.accepted', 'retrying');
  const again = (await redeliver(waiting.id, person.token)).body.webhook_delivery;
  await vi.waitFor(async () => expect((await find('job.accepted', 'dead')).id).toBe(again.id), within);
  expect(await find('job.accepted', 'retrying')).toEqual(waiting);
  expect(types()).not.toContain('started');
});

test('a redelivery of an event in the middle leaves the others waiting for the first', async () => {
  const { person, find, list, types } = await blockedJob();
  studio.receiver.received.length = 0;
  studio.receiver.answer((_, response) => response.writeHead(204).end());
  const [first, middle] = [await find('job.accepted', 'retrying'), await find('job.submitted', 'pending')];
  await redeliver(middle.id, person.token);
  await vi.waitFor(async () => {
    expect((await list()).find(({ id }: Row) => id === middle.id).status).toBe('delivered');
  }, within);
  expect(await find('job.started', 'pending')).toBeDefined();
  expect(types()).toEqual(['submitted']);
  await redeliver(first.id, person.token);
  await vi.waitFor(() => {
    expect(types()).toEqual(['submitted', 'accepted', 'started', 'ready_for_customer_review']);
  }, within);
});

test('a redelivery to a disabled endpoint ends the waiting delivery; enabled again, the later events follow', async () => {
  const { person, endpointId, find, types } = await blockedJob();
  const enable = (enabled: boolean) =>
    studio.service.call('PATCH', `/api/v1/webhook-endpoints/${endpointId}`, { as: person.token, body: { enabled } });
  await enable(false);
  studio.receiver.received.length = 0;
  studio.receiver.answer((_, response) => response.writeHead(204).end());
  await redeliver((await find('job.accepted', 'retrying')).id, person.token);
  await vi.waitFor(async () => expect(await find('job.accepted', 'retrying')).toBeUndefined(), within);
  expect(types()).toEqual(['accepted']);
  await enable(true);
  await vi.waitFor(() => expect(types()).toEqual(['accepted', ...waitingTypes]), within);
});

test('an attempt under way when its redelivery arrives is not tried again, whatever it is answered', async () => {
  const { person, endpointId, find, list, types } = await blockedJob();
  const [held, counts] = [[] as (() => void)[], { accepted: 0 }];
  studio.receiver.answer(({ event }, response) => {
    if (event.type === 'job.accepted' && counts.accepted++ === 0)
      held.push(() => response.writeHead(500, { 'retry-after': '0' }).end());
    else response.writeHead(204).end();
  });
  studio.receiver.received.length = 0;
  const waiting = await find('job.accepted', 'retrying');
  const { db } = studio.service.context;
  await sql`update webhook_deliveries set due_at = now() where id = ${readId('dlv', waiting.id)}`.execute(db);
  await vi.waitFor(() => expect(held).toHaveLength(1), within);
  // The only attempt that this endpoint gets at a time until it succeeds is taken: another process sends this one.
  const other = new DeliveryEngine(studio.service.context);
  onTestFinished(() => other.stop());
  await redeliver(waiting.id, person.token);
  await vi.waitFor(() => expect(types()).toEqual(['accepted', 'accepted', ...waitingTypes]), within);
  held[0]?.();
  const attempts = async () =>
    (await studio.service.call('GET', `/api/v1/webhook-deliveries/${waiting.id}`, { as: person.token })).body
      .webhook_delivery.attempts;
  await vi.waitFor(async () => expect(await attempts()).toMatchObject([{}, {}, { status: 500 }]), within);
  expect((await list()).find(({ id }: Row) => id === waiting.id)).toMatchObject({
    status: 'delivered',
    next_attempt_at: null,
  });
  expect((await deliveries(person.token, endpointId)).filter(({ status }: Row) => status !== 'delivered')).toEqual([]);
});

test('both recorded at once, the failed attempt and the redelivery that arrived end the event', async () => {
  const { person, endpointId, find, list } = await blockedJob();
  await studio.engine.stop();
  const waiting = await find('job.accepted', 'retrying');
  await redeliver(waiting.id, person.token);
  const { db } = studio.service.context;
  await sql`update webhook_deliveries set due_at = now() where endpoint_id = ${readId('hook', endpointId)}
    and done_at is null and attempts < 3`.execute(db);
  const mine = ({ endpoint_id }: Claimed) => endpoint_id === readId('hook', endpointId);
  const claimed = [...(await claimDeliveries(db, 64, new Map())), ...(await claimDeliveries(db, 64, new Map()))];
  const [original, again] = [false, true].map((once) => claimed.find((each) => mine(each) && each.once === once));
  const attempt = (status: number) => ({ status, error: null, ms: 1, answer: null, retryAfter: null });
  const outcomes = await recordAttempts(db, [
    { delivery: original!, attempt: attempt(500) },
    { delivery: again!, attempt: attempt(204) },
  ]);
  expect(outcomes).toEqual(['retried', 'delivered']);
  expect((await list()).find(({ id }: Row) => id === waiting.id)).toMatchObject({ status: 'delivered' });
});
