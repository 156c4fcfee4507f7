import { sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { readMoney } from '../../../contract/desk/money.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStudio, newCustomer, newJob, newJobIn, post, setPlan, type Studio } from '../../../test/support/jobs.ts';
import { chargeRefunded, disputeCreated, invoicePaid, sendAll } from '../../../test/support/money.ts';
import { signUp, type TestPerson } from '../../../test/support/people.ts';
import { bindCustomer, grant, sendEvent } from '../../../test/support/plans.ts';
import type { Provider } from '../../billing/provider.ts';
import { showId } from '../../lib/id.ts';

type Money = AnswerOf<typeof readMoney>['body']['money'];
type Plan = Money['plans'][number];
type Troubled = Money['accounts'][number];

let studio: Studio;
// Of its own: the figures count the payments of all accounts.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());
const db = () => studio.service.context.db;

const call = (path: string) => studio.service.call('GET', `/api/operator/v1${path}`, { as: studio.operator.token });
const read = async (month?: string) => {
  const { status, body } = await call(`/money${month === undefined ? '' : `?month=${month}`}`);
  expect(status).toBe(200);
  return body.money;
};
const counts = async () => (await call('/money/counts')).body.counts;

describe('what was paid', () => {
  let customer: string;
  beforeEach(async () => {
    await sql`delete from provider_payments`.execute(db());
    customer = await bindCustomer(studio.service, await signUp(studio.service, 'Harbour & Pine'));
  });
  const paid = (month: string, invoice: Parameters<typeof invoicePaid>[1] = {}) =>
    invoicePaid(studio.service, { customer, paidAt: new Date(`${month}T12:00:00Z`), ...invoice });

  test('200: by month, plan and currency, with paid periods and the month before', async () => {
    await sendAll(studio.service, [
      paid('2025-12-01', { plan: 'solo', amount: 100 }),
      paid('2025-11-30', { amount: 7 }),
      paid('2026-10-31', { plan: 'agent', amount: 200 }),
      paid('2026-11-01', { amount: 1_000 }),
      paid('2026-11-30', { amount: 500, settles: true }),
      paid('2026-11-30', { plan: null, amount: 30 }),
      paid('2026-11-02', { amount: 0 }),
      paid('2026-11-03', { amount: 90_000, currency: 'jpy' }),
      paid('2026-12-01', { amount: 8 }),
    ]);
    const money = await read('2026-11');
    expect(money.currencies).toEqual([
      { currency: 'jpy', paid: 90_000, periods: 1, paid_before: 0 },
      { currency: 'usd', paid: 1_530, periods: 3, paid_before: 200 },
    ]);
    expect(money.months).toEqual([
      { month: '2025-12', plan_code: 'solo', currency: 'usd', paid: 100 },
      { month: '2026-10', plan_code: 'agent', currency: 'usd', paid: 200 },
      { month: '2026-11', plan_code: 'studio', currency: 'jpy', paid: 90_000 },
      { month: '2026-11', plan_code: 'studio', currency: 'usd', paid: 1_500 },
      { month: '2026-11', plan_code: null, currency: 'usd', paid: 30 },
    ]);
  });

  test('200: refunds and disputes apart, whose they are or that nobody knows', async () => {
    const dispute = disputeCreated({ amount: 900, at: new Date('2026-11-20T00:00:00Z') });
    const refund = chargeRefunded({ customer, amount: 40, at: new Date('2026-11-10T00:00:00Z') });
    await sendAll(studio.service, [dispute, refund, paid('2026-11-01', { amount: 50 })]);
    const { refunds_and_disputes: returns, currencies } = await read('2026-11');
    expect(currencies).toMatchObject([{ currency: 'usd', paid: 50 }]);
    expect(returns).toMatchObject([
      { kind: 'dispute', id: dispute.data.object.id, amount: 900, account: null, page: null },
      { kind: 'refund', amount: 40, currency: 'usd', account: { name: 'Harbour & Pine' } },
    ]);
    expect((await read('2026-10')).refunds_and_disputes).toEqual([]);
  });

  test('200: what was paid in test mode is no money of live mode', async () => {
    await sendEvent(studio.service, paid('2026-11-01'));
    await withProvider({ livemode: true }, async () => expect((await read('2026-11')).currencies).toEqual([]));
  });
});

/** The provider of another installation, while `run` runs. */
async function withProvider(change: Partial<Provider>, run: () => Promise<void>) {
  const { provider } = studio.service.context;
  const before = { ...provider };
  Object.assign(provider, change);
  try {
    await run();
  } finally {
    Object.assign(provider, before);
  }
}

test('200: each plan with its accounts, those that began and ended, and jobs used; also one that is not sold', async () => {
  const { service } = studio;
  const before = await read();
  const { key } = await newCustomer(service, 'agent');
  await newJob(service, key);
  const { person: left } = await newCustomer(service, 'agent');
  await setPlan(service, left, 'agent', { status: 'canceled' });
  const { person: old } = await newCustomer(service, 'agent');
  await sql`update entitlements set code = 'retainer', name = 'Retainer', granted_at = '2020-01-01'
    where account_id = ${old.accountId}`.execute(db());
  const money = await read();
  const of = (plans: Plan[], code: string) => plans.find(({ plan_code }) => plan_code === code) as Plan;
  const agent = of(before.plans, 'agent');
  expect(of(money.plans, 'agent')).toEqual({
    ...agent,
    accounts: agent.accounts + 1,
    started: agent.started + 2,
    ended: agent.ended + 1,
    used: agent.used + 1,
    quota: agent.quota + 100,
  });
  expect(of(money.plans, 'retainer')).toMatchObject({ name: 'Retainer', price: null, accounts: 1, started: 0 });
});

describe('accounts with open jobs', () => {
  let ben: TestPerson;
  let key: string;
  let job: string;
  beforeEach(async () => {
    await sql`update entitlements set status = 'active', state = null, ends_at = null, serves_until = null,
      collection_paused = false`.execute(db());
    await sql`update entitlement_periods set period_end = now() + interval '20 days'`.execute(db());
    ({ person: ben, key } = await newCustomer(studio.service, 'agent'));
    job = await newJob(studio.service, key);
  });
  const listed = async () =>
    (await read()).accounts.filter((row: Troubled) => row.account.id === showId('acct', ben.accountId));

  /** What the page of the account says of it. */
  const standingOf = async () => (await call(`/accounts/${showId('acct', ben.accountId)}`)).body.account.standing;

  test.each([
    ['overdue', { status: 'past_due' }, true],
    ['not_paid', { status: 'past_due', state: 'active' }, true],
    ['stopped', { status: 'stopped' }, false],
    ['collection_paused', { collection_paused: true }, true],
    ['paused', { status: 'paused' }, false],
    ['ended', { status: 'canceled' }, false],
    ['ended', { status: 'active', endsIn: -25 }, false],
  ] as const)('200: whose plan is %s, in the words of the other pages', async (state, change, orders) => {
    await setPlan(studio.service, ben, 'agent', change);
    const [row] = await listed();
    expect(row).toEqual({
      account: expect.objectContaining({ id: showId('acct', ben.accountId) }),
      plan_code: 'agent',
      name: 'Agent',
      standing: await standingOf(),
      open_jobs: 1,
      next_due_at: expect.any(String),
      page: null,
    });
    expect(row.standing.state).toBe(state);
    expect(row.standing.access_until !== null).toBe(orders);
    expect(await counts()).toMatchObject({ accounts: 1 });
  });

  test('200: whose plan ends within 30 days, which does not count as waiting', async () => {
    const at = (days: number) => new Date(Date.now() + days * 86_400_000);
    await setPlan(studio.service, ben, 'agent', { ends_at: at(29) });
    expect(await listed()).toMatchObject([{ standing: { state: 'ends', since: null } }]);
    expect(await counts()).toMatchObject({ accounts: 0 });
    await setPlan(studio.service, ben, 'agent', { ends_at: at(31) });
    expect(await listed()).toEqual([]);
  });

  test('200: of a suspended account what its plan is, and nothing if that is well', async () => {
    const suspend = `/api/operator/v1/accounts/${showId('acct', ben.accountId)}/suspend`;
    await post(studio.service, studio.operator.token, suspend, { reason: 'Spam' });
    expect(await listed()).toEqual([]);
    await setPlan(studio.service, ben, 'agent', { status: 'past_due' });
    expect(await listed()).toMatchObject([{ standing: { state: 'overdue' } }]);
  });

  test('200: not one with another plan, nor one whose jobs have ended', async () => {
    await setPlan(studio.service, ben, 'agent', { status: 'canceled' });
    expect(await listed()).toHaveLength(1);
    await grant(studio.service, ben, 'studio');
    expect(await listed()).toEqual([]);
    await setPlan(studio.service, ben, 'studio', { status: 'past_due' });
    expect(await listed()).toMatchObject([{ standing: { state: 'overdue' }, plan_code: 'studio' }]);
    expect((await post(studio.service, key, `/api/v1/jobs/${job}/cancel`)).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  test('200: due is the next that the studio has to deliver', async () => {
    await newJobIn(studio, 'ready_for_customer_review');
    await setPlan(studio.service, studio.ada, 'studio', { status: 'past_due' });
    const [row] = (await read()).accounts.filter(
      (row: Troubled) => row.account.id === showId('acct', studio.ada.accountId),
    );
    expect(row).toMatchObject({ open_jobs: 1, next_due_at: null });
  });
});

test('200: pages at the provider, in test mode and live', async () => {
  const dispute = disputeCreated({});
  await sendEvent(studio.service, dispute);
  const pageOf = async () =>
    (await call('/payments')).body.payments.find((row: { id: string }) => row.id === dispute.data.object.id).page;
  expect([await pageOf(), (await read()).provider]).toEqual([null, null]);
  const { id } = dispute.data.object;
  await withProvider({ name: 'stripe_test' }, async () =>
    expect([await pageOf(), (await read()).provider]).toEqual([
      `https://dashboard.stripe.com/test/disputes/${id}`,
      'https://dashboard.stripe.com/test/',
    ]),
  );
});

test.each(['month=2026-13', 'month=2026-1', 'month=0999-01', 'month=x'])('400 invalid_request: %s', async (query) => {
  const { status, body } = await call(`/money?${query}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
