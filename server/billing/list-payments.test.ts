import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { chargeRefunded, invoicePaid, sendAll } from '../../test/support/money.ts';
import { makeOperator, signUp, type TestPerson } from '../../test/support/people.ts';
import { bindCustomer } from '../../test/support/plans.ts';
import { showId } from '../lib/id.ts';

let service: Service;
let ada: TestPerson;
let operator: TestPerson;
// Of its own: it lists the payments of all accounts.
beforeAll(async () => {
  service = await createService();
  ada = await signUp(service, 'Ada');
  operator = await makeOperator(service);
  const customer = await bindCustomer(service, ada);
  const on = (day: string) => new Date(`2026-${day}T12:00:00Z`);
  await sendAll(service, [
    invoicePaid(service, { id: 'in_october', customer, paidAt: on('10-31') }),
    invoicePaid(service, { id: 'in_first', customer, paidAt: on('11-01') }),
    chargeRefunded({ charge: 'ch_second', customer, at: on('11-02') }),
    invoicePaid(service, { id: 'in_third', customer, paidAt: on('11-03'), plan: null }),
  ]);
});
afterAll(() => service.close());

const list = (query: string, as = operator.token) => service.call('GET', `/api/operator/v1/payments?${query}`, { as });

test('200: those of the month, newest first, page by page', async () => {
  const { status, body: first } = await list('month=2026-11&limit=2');
  expect(status).toBe(200);
  expect(first.payments).toMatchObject([
    { kind: 'invoice', id: 'in_third', plan_code: null, amount: 5_000 },
    { kind: 'refund', id: 'ch_second', period: null, happened_at: '2026-11-02T12:00:00.000Z' },
  ]);
  const { body: second } = await list(`month=2026-11&limit=2&cursor=${first.next_cursor}`);
  expect(second.payments).toEqual([
    {
      kind: 'invoice',
      id: 'in_first',
      account: { id: showId('acct', ada.accountId), name: 'Ada' },
      plan_code: 'studio',
      amount: 49_900,
      currency: 'usd',
      period: { start: '2026-11-01T12:00:00.000Z', end: '2026-12-01T12:00:00.000Z' },
      happened_at: '2026-11-01T12:00:00.000Z',
      page: null,
    },
  ]);
  expect(second.next_cursor).toBeNull();
  expect((await list(`month=2026-10&cursor=${first.next_cursor}`)).status).toBe(400);
});

test.each(['month=2026-00', 'limit=0', 'cursor=x'])('400 invalid_request: %s', async (query) => {
  const { status, body } = await list(query);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});

test('403 role_required: a maker reads no payments', async () => {
  const maker = await makeOperator(service, 'maker');
  expect((await list('', maker.token)).body.error.code).toBe('role_required');
});
