import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeMoves, newCustomer, newJob } from '../../test/support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';
import { readId } from '../lib/id.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 30_000 };

const replay = (id: string, body: object, as = studio.ada.token) =>
  studio.service.call('POST', `/api/v1/webhook-endpoints/${id}/replay`, { as, body });
const seen = () => studio.receiver.received.map(({ event }) => event.seq);

test('200: the events after a seq once more, or only those that were given up', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, { types: ['job.created'] }, person.token);
  const jobs = [
    await newJob(studio.service, key),
    await newJob(studio.service, key),
    await newJob(studio.service, key),
  ];
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(3), within);
  const [first, second, third] = seen().toSorted((a, b) => a - b);
  const { db } = studio.service.context;
  const untilRecorded = () =>
    vi.waitFor(async () => {
      const open = await db.selectFrom('webhook_deliveries').select('id').where('done_at', 'is', null).execute();
      expect(open).toEqual([]);
    }, within);
  await untilRecorded();
  studio.receiver.received.length = 0;
  const { status, body } = await replay(id, { after: first }, person.token);
  expect([status, body]).toEqual([200, { queued: 2 }]);
  await vi.waitFor(() => expect(seen().toSorted((a, b) => a - b)).toEqual([second, third]), within);
  expect(jobs).toHaveLength(3);
  studio.receiver.received.length = 0;
  expect((await replay(id, { after: 0, failed_only: true }, person.token)).body).toEqual({ queued: 0 });
  await untilRecorded();
  await db.updateTable('webhook_deliveries').set({ outcome: 'dead' }).where('seq', '=', String(second)).execute();
  expect((await replay(id, { after: 0, failed_only: true }, person.token)).body).toEqual({ queued: 1 });
  await vi.waitFor(() => expect(seen()).toEqual([second]), within);
});

test('200: events that wait for their next attempt are tried now, in order; with failed_only they go on waiting', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  studio.receiver.answer(({ event }, response) => response.writeHead(event.type === 'job.created' ? 204 : 500).end());
  const job = await newJob(studio.service, key);
  await makeMoves({ ...studio, key }, job, 'accept', 'start');
  const path = `/api/v1/webhook-endpoints/${id}/deliveries?status=retrying`;
  const waiting = async () => (await studio.service.call('GET', path, { as: key })).body.webhook_deliveries;
  await vi.waitFor(async () => expect(await waiting()).toMatchObject([{ attempt_count: 1 }]), within);
  const { db } = studio.service.context;
  const due_at = new Date(Date.now() + 3_600_000);
  await vi.waitFor(async () => {
    const { account_id: accountId } = await db
      .selectFrom('webhook_attempts')
      .select('account_id')
      .where('delivery_id', '=', readId('dlv', (await waiting())[0].id))
      .executeTakeFirstOrThrow();
    await db
      .updateTable('webhook_deliveries')
      .set({ due_at })
      .where('account_id', '=', accountId)
      .where('attempts', '=', 1)
      .where('done_at', 'is', null)
      .execute();
  }, within);
  const types = () =>
    studio.receiver.received.filter(({ event }) => event.job?.id === job).map(({ event }) => event.type.slice(4));
  studio.receiver.received.length = 0;
  studio.receiver.answer((_, response) => response.writeHead(204).end());
  const { seq } = (await waiting())[0].event;
  expect((await replay(id, { after: 0, failed_only: true }, person.token)).body).toEqual({ queued: 0 });
  expect((await replay(id, { after: seq }, person.token)).body).toEqual({ queued: 0 });
  expect(await waiting()).toMatchObject([{ next_attempt_at: due_at.toISOString() }]);
  expect((await replay(id, { after: seq - 1 }, person.token)).body).toEqual({ queued: 1 });
  await vi.waitFor(() => expect(types()).toEqual(['accepted', 'started']), within);
});

test('409 webhook_endpoint_disabled: the deliveries would wait indefinitely', async () => {
  const { id } = await newEndpoint(studio);
  await studio.service.call('PATCH', `/api/v1/webhook-endpoints/${id}`, {
    as: studio.ada.token,
    body: { enabled: false },
  });
  const { status, body } = await replay(id, { after: 0 });
  expect([status, body.error.code]).toEqual([409, 'webhook_endpoint_disabled']);
});

test('422 invalid_request: no seq, or no number', async () => {
  const { id } = await newEndpoint(studio);
  for (const body of [{}, { after: -1 }, { after: '0' }, { after: 0, failed_only: 'yes' }]) {
    const answer = await replay(id, body);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
  }
});
