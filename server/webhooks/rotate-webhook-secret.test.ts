import { sql } from 'kysely';
import { readId } from '../lib/id.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

import { verifyByReference } from '../../test/support/receiver.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 30_000 };

const rotate = (id: string, body: object = {}, as = studio.ada.token) =>
  studio.service.call('POST', `/api/v1/webhook-endpoints/${id}/rotate-secret`, { as, body });

test('200: both sign until the overlap has passed; with 0 the older ends at once', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id, secret } = await newEndpoint(studio, {}, person.token);
  const next = async () => {
    studio.receiver.received.length = 0;
    await newJob(studio.service, key);
    await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), within);
    return studio.receiver.received[0]!;
  };
  const { status, body } = await rotate(id, {}, person.token);
  expect(status).toBe(200);
  const both = await next();
  expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
  for (const one of [secret, body.secret]) verifyByReference(both, one);
  const last = await rotate(id, { overlap_hours: 0 }, person.token);
  const alone = await next();
  verifyByReference(alone, last.body.secret);
  for (const one of [secret, body.secret]) expect(() => verifyByReference(alone, one)).toThrow();
});

test('200: the older secret no longer signs once its overlap has run out', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id, secret } = await newEndpoint(studio, {}, person.token);
  const { body } = await rotate(id, { overlap_hours: 1 }, person.token);
  await studio.service.context.db
    .updateTable('webhook_secrets')
    .where('endpoint_id', '=', readId('hook', id))
    .where('expires_at', 'is not', null)
    .set({ expires_at: sql<Date>`now() - interval '1 ms'` })
    .execute();
  studio.receiver.received.length = 0;
  await newJob(studio.service, key);
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), within);
  const [delivery] = studio.receiver.received;
  verifyByReference(delivery!, body.secret);
  expect(() => verifyByReference(delivery!, secret)).toThrow();
});

test('200: three secrets sign at most; the oldest ends', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id, secret } = await newEndpoint(studio, {}, person.token);
  const live = [];
  for (let n = 0; n < 3; n++) live.push((await rotate(id, { overlap_hours: 168 }, person.token)).body.secret);
  studio.receiver.received.length = 0;
  await newJob(studio.service, key);
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), within);
  const received = studio.receiver.received[0]!;
  expect(String(received.headers['webhook-signature']).split(' ')).toHaveLength(3);
  for (const one of live) verifyByReference(received, one);
  expect(() => verifyByReference(received, secret)).toThrow();
});

test('422 invalid_request: an overlap out of bounds', async () => {
  const { id } = await newEndpoint(studio);
  for (const overlap_hours of [-1, 169, 1.5, '24']) {
    const { status, body } = await rotate(id, { overlap_hours });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  }
});
