import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadCatalog } from '../catalog/load-catalog.ts';
import { newId, showId } from '../lib/id.ts';
import { judgeEvent, type KnownState, type Subscription } from './judge-event.ts';
import type { SubscriptionEvent } from './provider-event.ts';
import { ranks } from './provider-event.ts';

const { plans } = loadCatalog(fileURLToPath(new URL('../../catalog', import.meta.url)));
const account = newId();
const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const november = { start: day(1), end: day(31) };
const december = { start: day(31), end: day(61) };

function event(type: string, createdAt: Date, changes: Partial<SubscriptionEvent> & { tier?: string } = {}) {
  const { tier = 'agent', ...rest } = changes;
  const { id, product, unit_amount: amount, currency } = plans.get(tier)!.price;
  return {
    type: `customer.subscription.${type}`,
    rank: ranks.get(`customer.subscription.${type}`)!,
    livemode: false,
    createdAt,
    subscription: 'sub_1',
    customer: 'cus_1',
    status: 'active',
    planCode: tier,
    accountId: showId('acct', account),
    price: { id, product, amount, currency },
    period: november,
    ...rest,
  } satisfies SubscriptionEvent;
}

let known: KnownState;
beforeEach(() => {
  known = { accountId: account, subscription: null, livemode: false, plans, receipt: 1 };
});
const judge = (given: SubscriptionEvent, subscription: Subscription | null = null) =>
  judgeEvent(given, { ...known, subscription });
/** The subscription after these events, in this order of arrival, with the reasons of ignored ones. */
const fold = (events: SubscriptionEvent[]) => {
  let subscription: Subscription | null = null;
  for (const given of events) {
    known.receipt++;
    subscription = judge(given, subscription).next ?? subscription;
  }
  known.receipt++;
  return subscription;
};

const permutations = <T>(all: T[]): T[][] =>
  all.length < 2 ? [all] : all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));

/** Without receipt numbers, which depend on the order of arrival. */
const unnumbered = (subscription: Subscription | null): unknown =>
  JSON.parse(JSON.stringify(subscription, (name, value: unknown) => (name === 'receipt' ? undefined : value)));

describe('all 120 orders of arrival end in the same entitlement', () => {
  const created = event('created', day(1), { tier: 'solo' });
  const upgraded = event('updated', day(2));
  const paused = event('paused', day(3), { status: 'paused' });
  const resumed = event('resumed', day(4));
  const deleted = event('deleted', day(9), { status: 'canceled' });
  const renewed = event('updated', day(31), { period: december });
  const unpaid = event('updated', day(5), { status: 'past_due' });
  const unpaidAgain = event('updated', day(32), { status: 'past_due', period: december });
  const sameSecond = (one: SubscriptionEvent) => ({ ...one, createdAt: day(1) });

  test.each<[string, SubscriptionEvent[], Subscription['status']]>([
    ['ended', [created, upgraded, paused, resumed, deleted], 'canceled'],
    ['renewed', [created, upgraded, paused, resumed, renewed], 'active'],
    ['past due', [created, upgraded, paused, resumed, unpaid], 'past_due'],
    ['past due after a renewal', [created, upgraded, unpaid, renewed, unpaidAgain], 'past_due'],
    ['paused at last', [created, upgraded, resumed, unpaid, { ...paused, createdAt: day(8) }], 'paused'],
    ['never paid', [event('created', day(1), { status: 'incomplete' }), unpaid, paused, deleted], 'canceled'],
    ['several in one second', [created, sameSecond(upgraded), sameSecond(deleted), renewed, unpaidAgain], 'past_due'],
    ['changed and ended in one second', [created, sameSecond(upgraded), sameSecond(deleted)], 'canceled'],
  ])('%s', (_, events, status) => {
    const inOrder = fold(events);
    expect(inOrder?.status).toBe(status);
    for (const arrival of permutations(events)) {
      expect(unnumbered(fold(arrival))).toEqual(unnumbered(inOrder));
      expect(unnumbered(fold([...arrival, ...arrival]))).toEqual(unnumbered(inOrder));
    }
  });
});

describe('past due', () => {
  test('keeps the period that was paid for, and opens no new one', () => {
    const before = fold([event('created', day(1))]);
    const { reason, next } = judge(event('updated', day(31), { status: 'past_due', period: december }), before);
    expect(reason).toBeNull();
    expect(next).toMatchObject({ status: 'past_due', grant: { period: november } });
  });

  test('grants nothing to an account without a grant', () => {
    expect(judge(event('updated', day(1), { status: 'past_due' })).next).toMatchObject({ grant: null });
  });

  test('does not bring a plan that was not paid for', () => {
    const before = fold([event('created', day(1), { tier: 'solo' })]);
    expect(judge(event('updated', day(2), { status: 'past_due' }), before).next).toMatchObject({ code: 'solo' });
  });

  test('paused before its first grant arrives: the late grant tells what was paid for', () => {
    const before = fold([event('paused', day(5), { status: 'paused' })]);
    const { reason, next } = judge(event('created', day(1)), before);
    expect(reason).toBeNull();
    expect(next).toMatchObject({ status: 'paused', newest: { createdAt: day(5) }, grant: { period: november } });
  });

  test('a grant that arrives late tells what was paid for', () => {
    const before = fold([event('updated', day(5), { status: 'past_due' })]);
    const { reason, next } = judge(event('created', day(1)), before);
    expect(reason).toBeNull();
    expect(next).toMatchObject({ status: 'past_due', newest: { createdAt: day(5) }, grant: { period: november } });
  });
});

describe('what takes away', () => {
  const before = () => fold([event('created', day(1))]);

  test.each(['canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'unheard of'])('status %s', (status) => {
    expect(judge(event('updated', day(2), { status }), before()).next).toMatchObject({ status: 'canceled' });
  });

  test.each([
    ['deleted', 'active', 'canceled'],
    ['deleted', 'paused', 'canceled'],
    ['paused', 'active', 'paused'],
    ['paused', 'canceled', 'paused'],
    ['updated', 'paused', 'paused'],
    ['resumed', 'paused', 'paused'],
  ])('type %s with the status %s: %s', (type, status, after) => {
    expect(judge(event(type, day(2), { status }), before()).next).toMatchObject({ status: after });
  });

  test('needs no price, no period and no metadata, so that what is no longer sold can end', () => {
    const bare = event('deleted', day(2), { price: null, planCode: null, accountId: null, period: null });
    expect(judge(bare, before())).toMatchObject({ reason: null, next: { status: 'canceled', code: 'agent' } });
  });

  test('still needs the customer of the account', () => {
    const ours = before();
    const reasonFor = (changes: object) => judge(event('deleted', day(2), changes), ours).reason;
    known.accountId = null;
    expect(reasonFor({})).toBe('unbound customer');
    known.accountId = newId();
    expect(reasonFor({})).toBe('customer of another account');
    expect(reasonFor({ accountId: null })).toBe('subscription of another account');
  });

  test('resumed with a status that is not active grants nothing', () => {
    const paused = fold([event('created', day(1)), event('paused', day(2))]);
    expect(judge(event('resumed', day(3), { status: 'unpaid' }), paused).next).toMatchObject({ status: 'canceled' });
    expect(judge(event('resumed', day(3)), paused).next).toMatchObject({ status: 'active' });
  });
});

describe('order', () => {
  test('an older event changes nothing', () => {
    const before = fold([event('updated', day(5))]);
    expect(judge(event('updated', day(4), { tier: 'studio' }), before)).toEqual({
      reason: 'older than what is already applied',
      next: null,
    });
    expect(judge(event('deleted', day(4)), before).next).toBeNull();
  });

  test('a grant after the end stays without effect', () => {
    const before = fold([event('created', day(1)), event('deleted', day(5))]);
    const { reason, next } = judge(event('updated', day(4)), before);
    expect([reason, next?.status]).toEqual(['older than what is already applied', 'canceled']);
  });

  test('re-evaluated it takes its old place: before what was received later in the same second', () => {
    const before = fold([event('updated', day(5), { tier: 'studio' })]);
    known.receipt = 1;
    expect(judge(event('updated', day(5)), before).reason).toBe('older than what is already applied');
    expect(judge(event('updated', day(6)), before).next).toMatchObject({ code: 'agent' });
    expect(judge(event('updated', day(5))).next).toMatchObject({ code: 'agent' });
  });

  test('re-evaluated it comes after what was received before it in the same second', () => {
    const before = fold([event('updated', day(5))]);
    known.receipt = 9;
    expect(judge(event('updated', day(5), { tier: 'studio' }), before).next).toMatchObject({ code: 'studio' });
  });

  test('of a subscription that was granted the price names the plan, whatever its metadata still says', () => {
    const { price } = event('updated', day(5), { tier: 'studio' });
    const stale = event('updated', day(5), { price });
    expect(judge(stale).reason).toBe('price of another plan');
    const changed = judge(stale, fold([event('created', day(1))])).next;
    expect(changed).toMatchObject({ code: 'studio' });
    expect(judge(event('updated', day(6), { price }), changed).next).toMatchObject({ code: 'studio' });
  });

  test('in one second: created before updated before deleted, and equals by receipt', () => {
    const at = day(5);
    const updated = fold([event('updated', at)]);
    expect(judge(event('created', at), updated).reason).toBe('older than what is already applied');
    expect(judge(event('updated', at, { tier: 'studio' }), updated).next).toMatchObject({ code: 'studio' });
    expect(judge(event('updated', at), fold([event('deleted', at)])).next).toMatchObject({ status: 'canceled' });
  });
});

describe('periods that the provider does not give', () => {
  const period = null;
  const periodAt = (...times: number[]) =>
    fold(times.map((time) => event('updated', day(time), { period })))?.grant?.period;

  test('calendar months from the first grant', () => {
    expect(periodAt(20)).toEqual({ start: day(20), end: day(50) });
    expect(periodAt(20, 49)).toEqual({ start: day(20), end: day(50) });
    expect(periodAt(20, 50)).toEqual({ start: day(50), end: day(81) });
    expect(periodAt(20, 83)?.start).toEqual(day(81));
  });

  test('a period that the provider gave before is kept while it lasts; then months from its start', () => {
    const before = fold([event('created', day(3))]);
    const at = (time: number) => judge(event('updated', day(time), { period }), before).next?.grant?.period;
    expect(at(20)).toEqual(november);
    expect(at(31)).toEqual({ start: day(31), end: day(62) });
  });
});
