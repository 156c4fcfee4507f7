import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createJob } from '../../test/support/jobs.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { bindCustomer, seconds, sendEvent, subscriptionEvent } from '../../test/support/plans.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { termsOf } from './verify-terms.ts';
import { catchUpSubscriptions } from './catch-up-subscriptions.ts';

let service: Service;
let ada: TestPerson;
let customer: string;
beforeAll(async () => void (service = await sharedService()));
beforeEach(async () => {
  ada = await signUp(service);
  customer = await bindCustomer(service, ada);
});

const day = 86_400;
const now = seconds(Date.now());
const lastMonth = { current_period_start: now - 31 * day, current_period_end: now - day };
const thisMonth = { current_period_start: now - day, current_period_end: now + 29 * day };
const nextMonth = { current_period_start: now + 29 * day, current_period_end: now + 60 * day };

async function send(subscription: string, object: object, created: number) {
  const event = subscriptionEvent(service, { accountId: ada.accountId, customer, subscription }, 'studio', {
    created,
    object: { ...object },
  });
  return (await sendEvent(service, event)).body.status;
}

type Legacy = { status: string; period?: { current_period_start: number; current_period_end: number } };

/** Makes the row of a subscription what the version before would have made of its events. */
async function asBefore(subscription: string, { status, period }: Legacy) {
  const { db } = service.context;
  await sql`
    update entitlements set status = ${status}, state = null, state_since = null, serves_until = null, ends_at = null,
      paid_until = null, facts_receipt = null, carried_as = null, carried_at = null, carried_start = null, carried_end = null
    where subscription = ${subscription}`.execute(db);
  await sql`update provider_events set plan_code = null where subscription = ${subscription}`.execute(db);
  if (period)
    await sql`
      update entitlement_periods set period_start = to_timestamp(${period.current_period_start}),
        period_end = to_timestamp(${period.current_period_end})
      where entitlement_id = (select id from entitlements where subscription = ${subscription})`.execute(db);
}

const catchUpNow = (changes: { servesUncollected?: boolean } = {}) =>
  catchUpSubscriptions(
    { ...service.context, terms: { ...termsOf(service.context), ...changes } },
    new AbortController().signal,
  );

const plans = async () =>
  (await service.call('GET', '/api/v1/entitlements', { as: ada.token })).body.entitlements.map(
    ({ status, period, paid_until: paid }: { status: string; period: { end: string }; paid_until: string | null }) => [
      status,
      seconds(period.end),
      paid === null ? null : seconds(paid),
    ],
  );
const order = async () => (await createJob(service, ada.token)).status;
const made = () => `sub_${randomUUID()}`;

test('an active row counts as paid for its period, also when a payment fails afterwards', async () => {
  const subscription = made();
  await send(subscription, thisMonth, now - day);
  await asBefore(subscription, { status: 'active' });
  expect(await plans()).toEqual([['active', thisMonth.current_period_end, null]]);
  await catchUpNow();
  expect(await plans()).toEqual([['active', thisMonth.current_period_end, thisMonth.current_period_end]]);
  await send(subscription, { ...thisMonth, status: 'past_due' }, now);
  expect([await plans(), await order()]).toEqual([
    [['past_due', thisMonth.current_period_end, thisMonth.current_period_end]],
    201,
  ]);
});

test('what an upgrade finds out is in the feed where it changes the plan, and told to nobody', async () => {
  const { db } = service.context;
  const count = async (table: 'events' | 'notifications') =>
    (await sql`select from ${sql.table(table)} where account_id = ${ada.accountId}`.execute(db)).rows.length;
  const subscription = made();
  await send(subscription, thisMonth, now - day);
  await asBefore(subscription, { status: 'active' });
  const before = [await count('events'), await count('notifications')];
  await catchUpNow();
  expect([await count('events'), await count('notifications')]).toEqual(before);
  await send(subscription, { ...thisMonth, status: 'unpaid' }, now);
  await asBefore(subscription, { status: 'canceled' });
  const events = await count('events');
  const news = await count('notifications');
  await catchUpNow();
  expect((await plans()).map(([status]: string[]) => status)).toEqual(['stopped']);
  expect([await count('events'), await count('notifications')]).toEqual([events + 1, news]);
});

test('an event that arrives before the first catching up carries its row over as well', async () => {
  const subscription = made();
  await send(subscription, thisMonth, now - day);
  await asBefore(subscription, { status: 'active' });
  await send(subscription, { ...thisMonth, status: 'past_due' }, now);
  expect(await order()).toBe(201);
});

test('an overdue row falls back to the period before the one that nobody paid', async () => {
  const subscription = made();
  await send(subscription, lastMonth, now - 31 * day);
  await send(subscription, thisMonth, now - day);
  await send(subscription, { ...thisMonth, status: 'past_due' }, now - day + 3600);
  await asBefore(subscription, { status: 'past_due', period: thisMonth });
  expect(await order()).toBe(201);
  await catchUpNow();
  expect([await plans(), await order()]).toEqual([[['past_due', lastMonth.current_period_end, null]], 403]);
});

test('a canceled row whose last event said unpaid has stopped; of two, the newer one', async () => {
  const [older, newer] = [made(), made()];
  for (const [subscription, at] of [
    [older, now - 20 * day],
    [newer, now - 2 * day],
  ] as const) {
    await send(subscription, thisMonth, at);
    await send(subscription, { ...thisMonth, status: 'unpaid' }, at + day);
    await asBefore(subscription, { status: 'canceled' });
  }
  await catchUpNow();
  expect((await plans()).map(([status]: string[]) => status)).toEqual(['stopped', 'canceled']);
  await send(older, { ...thisMonth, status: 'active' }, now);
  expect((await plans()).map(([status]: string[]) => status)).toEqual(['stopped', 'active']);
});

test('what the version before writes beside this one is worked out again', async () => {
  const subscription = made();
  await send(subscription, thisMonth, now - day);
  await send(subscription, { ...thisMonth, cancel_at: now + day }, now);
  await sql`update entitlements set status = 'canceled', ends_at = null, event_receipt = event_receipt + 1
    where subscription = ${subscription}`.execute(service.context.db);
  await catchUpNow();
  const { body } = await service.call('GET', '/api/v1/entitlements', { as: ada.token });
  expect(body.entitlements).toMatchObject([{ status: 'active', ends_at: new Date((now + day) * 1000).toISOString() }]);
});

test('a changed setting for paused payments counts without a new event', async () => {
  const subscription = made();
  await send(subscription, lastMonth, now - 31 * day);
  await send(subscription, { ...thisMonth, pause_collection: { behavior: 'void' } }, now - day);
  expect(await order()).toBe(403);
  await catchUpNow({ servesUncollected: true });
  expect([await plans(), await order()]).toEqual([[['active', thisMonth.current_period_end, null]], 201]);
  await catchUpNow();
  expect(await order()).toBe(403);
});

test('a row is worked out once for a setting, whatever comes of it', async () => {
  const subscription = made();
  await send(subscription, { ...thisMonth, pause_collection: { behavior: 'void' }, latest_invoice: 'in_1' }, now - day);
  await send(subscription, { ...thisMonth, status: 'past_due', latest_invoice: 'in_1' }, now);
  await catchUpNow({ servesUncollected: true });
  const version = async () =>
    (
      await sql<{ xmin: string }>`select xmin from entitlements where subscription = ${subscription}`.execute(
        service.context.db,
      )
    ).rows;
  const before = await version();
  await catchUpNow({ servesUncollected: true });
  expect(await version()).toEqual(before);
});

test('a row without any event stays as it is', async () => {
  const subscription = made();
  await send(subscription, nextMonth, now);
  await sql`delete from provider_events where subscription = ${subscription}`.execute(service.context.db);
  await asBefore(subscription, { status: 'paused' });
  await catchUpNow();
  expect((await plans()).map(([status]: string[]) => status)).toEqual(['paused']);
});
