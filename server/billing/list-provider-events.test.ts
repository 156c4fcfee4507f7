import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { grant, sendEvent } from '../../test/support/plans.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { showId } from '../lib/id.ts';

let service: Service;
let ada: TestPerson;
let operator: TestPerson;
// Of its own: it lists the events of all accounts.
beforeAll(async () => {
  service = await createService();
  ada = await signUp(service);
  operator = await makeOperator(service);
  await grant(service, ada, 'agent');
  for (const number of [1, 2, 3])
    await sendEvent(service, {
      id: `evt_${number}`,
      type: 'charge.succeeded',
      livemode: false,
      created: 1_795_000_000,
    });
});
afterAll(() => service.close());

const list = (query = '', as = operator.token) =>
  service.call('GET', `/api/operator/v1/provider-events${query}`, { as });

test('200: newest receipt first, with outcome and reason', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body.provider_events).toMatchObject([
    { id: 'evt_3', outcome: 'ignored', reason: 'unsupported type', created_at: '2026-11-18T11:06:40.000Z' },
    { id: 'evt_2' },
    { id: 'evt_1' },
    { type: 'invoice.paid', outcome: 'processed', account_name: 'Ada Lovelace', page: null },
    { outcome: 'processed', reason: null, account_id: showId('acct', ada.accountId), livemode: false },
  ]);
  expect(body.next_cursor).toBeNull();
});

test('200: page by page, filtered by outcome', async () => {
  const { body: first } = await list('?outcome=ignored&limit=2');
  expect(first.provider_events).toMatchObject([{ id: 'evt_3' }, { id: 'evt_2' }]);
  const { body: second } = await list(`?outcome=ignored&limit=2&cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ provider_events: [{ id: 'evt_1' }], next_cursor: null });
  expect((await list(`?outcome=processed&cursor=${first.next_cursor}`)).status).toBe(400);
});

test('200: only those received in a month', async () => {
  const month = new Date().toISOString().slice(0, 7);
  expect((await list(`?outcome=processed&month=${month}`)).body.provider_events).toHaveLength(2);
  expect((await list('?outcome=processed&month=2026-01')).body.provider_events).toEqual([]);
});

test.each(['?month=2026-13', '?limit=0', '?cursor=x', '?outcome=duplicate'])(
  '400 invalid_request: %s',
  async (query) => {
    const { status, body } = await list(query);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);

test('403 role_required: for operators only', async () => {
  const { status, body } = await list('', ada.token);
  expect([status, body.error.code]).toEqual([403, 'role_required']);
});

test('200: with needs_look only ignored events whose cause may need mending, or only the others', async () => {
  const data = { object: { customer: 'cus_unbound', subscription: 'sub_unbound' } };
  await sendEvent(service, { id: 'evt_broken', type: 'customer.subscription.updated', livemode: false, data });
  const { body: some } = await list('?needs_look=true');
  expect(some.provider_events).toMatchObject([{ id: 'evt_broken', outcome: 'ignored' }]);
  const { body: others } = await list('?needs_look=false');
  expect(others.provider_events.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(['evt_1', 'evt_2', 'evt_3']),
  );
  expect(others.provider_events).toHaveLength(5);
});
