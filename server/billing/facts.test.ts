import { describe, expect, test } from 'vitest';
import { type Facts, foldEvents, type FoldedEvent, type PricedEvent } from './facts.ts';
import { projectFacts } from './project-facts.ts';
import { type InvoiceEvent, ranks, type State } from './provider-event.ts';

const day = (number: number) => new Date(Date.UTC(2026, 10, number));
const november = { start: day(1), end: day(31) };
const december = { start: day(31), end: day(61) };
const january = { start: day(61), end: day(92) };

let made = 0;
type Changes = Partial<Omit<PricedEvent, 'order'>> & { name?: string };

/** An event of November's subscription to the plan agent, which is active and paid by the invoice in_1. */
function event(at: Date, state: State, { name = 'updated', ...changes }: Changes = {}): PricedEvent {
  const weight = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'ended'].indexOf(state);
  const rank = ranks.get(`customer.subscription.${name}`) ?? 1;
  return {
    kind: 'subscription',
    order: {
      createdAt: at,
      rank,
      weight,
      start: (changes.period ?? november).start.getTime(),
      id: `evt_${(made += 1)}`,
    },
    livemode: false,
    subscription: 'sub_1',
    customer: 'cus_1',
    accountId: 'acct_1',
    planCode: 'agent',
    plan: 'agent',
    state,
    prices: [],
    hasMorePrices: false,
    period: november,
    invoice: 'in_1',
    endsAt: undefined,
    endedAt: null,
    isCollectionPaused: undefined,
    ...changes,
  };
}

const invoice = (
  at: Date,
  outcome: InvoiceEvent['outcome'],
  id: string,
  period: typeof november | null,
): InvoiceEvent => ({
  kind: 'invoice',
  order: { createdAt: at, rank: 3, weight: 0, start: 0, id: `evt_${(made += 1)}` },
  livemode: false,
  subscription: 'sub_1',
  customer: 'cus_1',
  accountId: null,
  planCode: null,
  invoice: id,
  outcome,
  lines: period ? [{ period, price: 'price_1' }] : [],
});

const created = event(day(1), 'active', { name: 'created' });
const renewed = event(day(31), 'active', { period: december, invoice: 'in_2' });
const overdue = event(day(32), 'past_due', { period: december, invoice: 'in_2' });

const fold = (...events: FoldedEvent[]): Facts => foldEvents(events).facts;
const project = (...events: FoldedEvent[]) => projectFacts(fold(...events), false);
/** Status, end of the served period, where orders end before it, and until when it is paid. */
const shown = (...events: FoldedEvent[]) => {
  const { status, period, servesUntil, paidUntil } = project(...events) ?? {};
  return [status, period?.end, servesUntil, paidUntil];
};

const permutations = <T>(all: T[]): T[][] =>
  all.length < 2 ? [all] : all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));

describe('every order of arrival ends in the same facts', () => {
  const paused = event(day(3), 'paused', { name: 'paused' });
  const resumed = event(day(4), 'active', { name: 'resumed' });
  const ended = event(day(9), 'ended', { name: 'deleted' });
  const sameSecond = (one: PricedEvent) => ({ ...one, order: { ...one.order, createdAt: day(1) } });

  test.each<[string, FoldedEvent[], string]>([
    ['ended', [created, event(day(2), 'active', { plan: 'solo' }), paused, resumed, ended], 'canceled'],
    ['overdue after a renewal', [created, renewed, overdue, invoice(day(1), 'paid', 'in_1', november)], 'past_due'],
    ['paid later', [created, renewed, overdue, invoice(day(33), 'paid', 'in_2', december)], 'past_due'],
    ['changed and ended in one second', [created, sameSecond(resumed), sameSecond(ended)], 'canceled'],
    ['unpaid, then the newest invoice is paid', [created, renewed, overdue, event(day(40), 'unpaid')], 'stopped'],
  ])('%s', (_, events, status) => {
    const expected = JSON.stringify(fold(...events));
    expect(project(...events)?.status).toBe(status);
    for (const arrival of permutations(events)) expect(JSON.stringify(fold(...arrival))).toBe(expected);
  });

  test('two events of one second and type: the worse state counts as the newer one', () => {
    const [good, bad] = [event(day(5), 'active'), event(day(5), 'past_due')];
    expect([fold(good, bad).state, fold(bad, good).state]).toEqual(['past_due', 'past_due']);
  });
});

test('two events of one second that name different periods: the later period counts as the newer one', () => {
  const next = event(day(31), 'active', { period: december, invoice: 'in_2' });
  const before = event(day(31), 'active');
  expect(fold(created, next, before).periods.at(-1)).toMatchObject(december);
  expect(fold(created, before, next).periods.at(-1)).toMatchObject(december);
});

describe('the paid period', () => {
  test('a first one that no invoice confirmed is served, and not called paid', () => {
    expect(shown(created)).toEqual(['active', day(31), null, null]);
    expect(shown(created, invoice(day(1), 'paid', 'in_1', november))).toEqual(['active', day(31), null, day(31)]);
  });

  test('a renewal is a promise, served until the provider says otherwise, however long that takes', () => {
    expect(shown(created, renewed)).toEqual(['active', day(61), null, null]);
    const next = event(day(61), 'active', { period: january, invoice: 'in_3' });
    expect(shown(created, renewed, next)).toEqual(['active', day(92), null, null]);
  });

  test('overdue: the one before, not a day of a period that nobody paid', () => {
    expect(shown(created, renewed, overdue)).toEqual(['past_due', day(31), null, null]);
    expect(shown(created, renewed, overdue, invoice(day(33), 'paid', 'in_2', december))[1]).toEqual(day(61));
  });

  test.each(['void', 'failed'] as const)('an active one whose invoice is %s is overdue', (outcome) => {
    const events = [created, renewed, invoice(day(32), outcome, 'in_2', december)];
    expect(shown(...events).slice(0, 2)).toEqual(['past_due', day(31)]);
    expect(project(...events)?.state).toBe(outcome === 'failed' ? 'past_due' : 'active');
  });

  test('called active again after a failure it is a promise again, but not after its invoice was voided', () => {
    const again = event(day(34), 'active', { period: december, invoice: 'in_2' });
    expect(shown(created, renewed, overdue, again).slice(0, 2)).toEqual(['active', day(61)]);
    const voided = invoice(day(33), 'void', 'in_2', december);
    expect(shown(created, renewed, overdue, voided, again).slice(0, 2)).toEqual(['past_due', day(31)]);
  });

  test('a bank debit that fails days later: nothing was ever paid, so nothing is served', () => {
    const failed = event(day(4), 'past_due');
    expect(shown(created, failed)).toEqual(['past_due', day(31), day(1), null]);
    expect(shown(created, invoice(day(4), 'failed', 'in_1', november))).toEqual(['past_due', day(31), day(1), null]);
  });

  test('an overdue invoice for a change within the period leaves what was paid', () => {
    expect(shown(created, event(day(9), 'past_due', { invoice: 'in_extra' })).slice(0, 3)).toEqual([
      'past_due',
      day(31),
      null,
    ]);
  });

  test('overdue without invoice or period: the newest one, but not the first of all', () => {
    const bare = { invoice: null, period: null };
    const first = event(day(1), 'active', bare);
    expect(shown(first, event(day(5), 'past_due', bare))[1]).toEqual(day(31));
    const second = event(day(31), 'active', bare);
    expect(shown(first, second)[1]).toEqual(day(62));
    expect(shown(first, second, event(day(33), 'past_due', bare))[1]).toEqual(day(31));
  });

  test('an old invoice that is paid brings back its own period only', () => {
    const third = event(day(61), 'past_due', { period: january, invoice: 'in_3' });
    const late = invoice(day(63), 'paid', 'in_2', december);
    expect(shown(created, renewed, overdue, third, late).slice(0, 2)).toEqual(['past_due', day(61)]);
  });

  test('a paid invoice never creates a period, and confirms one that is named later', () => {
    const paid = invoice(day(31), 'paid', 'in_2', december);
    expect(project(paid)).toBeNull();
    expect(shown(created, paid).slice(0, 2)).toEqual(['active', day(31)]);
    expect(shown(paid, created, renewed)).toEqual(['active', day(61), null, day(61)]);
  });

  test('a trial ends with its period; what follows it is a promise', () => {
    const trial = event(day(1), 'trialing');
    expect(shown(trial)).toEqual(['active', day(31), day(31), day(31)]);
    expect(shown(trial, renewed)).toEqual(['active', day(61), null, day(31)]);
    expect(shown(trial, renewed, overdue).slice(0, 2)).toEqual(['past_due', day(31)]);
    const early = event(day(9), 'active', { period: { start: day(9), end: day(39) }, invoice: 'in_2' });
    const failed = event(day(10), 'past_due', { period: { start: day(9), end: day(39) }, invoice: 'in_2' });
    expect(shown(trial, early, failed)[1]).toEqual(day(9));
  });

  test('one that the provider moved stays one', () => {
    const moved = event(day(2), 'active', { period: { start: day(1), end: day(20) } });
    expect(fold(created, moved).periods).toMatchObject([{ end: day(20), plans: [{ invoice: 'in_1' }] }]);
  });

  test('one carried over from the version before counts as paid', () => {
    const order = { createdAt: day(31), rank: 9, weight: 0, start: 0, id: '' };
    const carried = { kind: 'carried over', order, code: 'agent', period: december } as const;
    expect(shown(created, renewed, carried)).toEqual(['active', day(61), null, day(61)]);
    expect(shown(created, renewed, carried, overdue).slice(0, 2)).toEqual(['past_due', day(61)]);
    // The row has the plan of an upgrade that came after the period began.
    const upgraded = event(day(40), 'active', { plan: 'studio', period: december, invoice: 'in_rest' });
    const failed = event(day(41), 'past_due', { plan: 'studio', period: december, invoice: 'in_rest' });
    expect(project(created, renewed, { ...carried, code: 'studio' }, upgraded, failed)?.code).toBe('agent');
  });
});

describe('paused payments', () => {
  const paused = event(day(9), 'active', { isCollectionPaused: true });
  const uncollected = event(day(31), 'active', { isCollectionPaused: true, period: december, invoice: 'in_2' });
  const voided = invoice(day(31), 'void', 'in_2', december);

  test('serve to the end of the paid period, without a day more', () => {
    expect(shown(created, paused)).toEqual(['active', day(31), day(31), null]);
    expect(shown(created, paused, uncollected, voided).slice(0, 3)).toEqual(['stopped', day(31), day(31)]);
  });

  test('serve on where the studio gives months away', () => {
    const { status, period, servesUntil } = projectFacts(fold(created, paused, uncollected, voided), true) ?? {};
    expect([status, period?.end, servesUntil]).toEqual(['active', day(61), null]);
  });

  test('collected again: the period is a promise, unless its invoice was voided', () => {
    const resumed = event(day(40), 'active', { isCollectionPaused: false, period: december, invoice: 'in_2' });
    expect(shown(created, paused, uncollected, resumed).slice(0, 3)).toEqual(['active', day(61), null]);
    expect(shown(created, paused, uncollected, voided, resumed).slice(0, 2)).toEqual(['past_due', day(31)]);
  });
});

test('a larger plan that nobody paid is not served while payments are paused', () => {
  const pause = event(day(9), 'active', { isCollectionPaused: true });
  const larger = event(day(11), 'active', { plan: 'studio', invoice: 'in_draft', isCollectionPaused: true });
  const codeOf = (serves: boolean, ...events: FoldedEvent[]) =>
    projectFacts(fold(created, pause, larger, ...events), serves)?.code;
  expect([codeOf(false), codeOf(true)]).toEqual(['agent', 'studio']);
  const collected = event(day(12), 'active', { plan: 'studio', invoice: 'in_draft', isCollectionPaused: false });
  expect(codeOf(false, collected)).toBe('studio');
});

test('the invoice of a month does not pay for the year that begins with it', () => {
  const year = { start: day(31), end: day(396) };
  const yearly = event(day(32), 'active', { period: year, invoice: 'in_3' });
  const events = [created, renewed, yearly, invoice(day(33), 'paid', 'in_2', december)];
  expect(shown(...events).slice(1)).toEqual([day(396), null, null]);
  expect(shown(...events, invoice(day(34), 'paid', 'in_3', year))[3]).toEqual(day(396));
});

describe('the end', () => {
  test('is set, moved and taken back', () => {
    const ends = event(day(5), 'active', { endsAt: day(31) });
    expect(fold(created, ends).endsAt).toEqual(day(31));
    expect(fold(created, ends, event(day(6), 'active')).endsAt).toEqual(day(31));
    expect(fold(created, ends, event(day(6), 'active', { endsAt: null })).endsAt).toBeNull();
  });

  test('of a subscription that ended is when it ended, and that of its return is none', () => {
    const ended = event(day(9), 'ended', { endsAt: day(31), endedAt: day(8) });
    expect(fold(created, ended).endsAt).toEqual(day(8));
    expect(fold(created, ended, event(day(10), 'active')).endsAt).toBeNull();
  });

  test('and a pause count whatever the price is, a period does not', () => {
    const wrong = { plan: { fault: 'wrong amount' }, period: december, invoice: 'in_2' } as const;
    const { facts, reasons } = foldEvents([created, event(day(31), 'active', { ...wrong, endsAt: day(40) })]);
    expect([facts.endsAt, facts.periods.length, [...reasons.values()]]).toEqual([day(40), 1, ['wrong amount']]);
  });

  test('needs neither price nor plan, so that what is no longer sold can end', () => {
    const bare = event(day(2), 'ended', { plan: { fault: 'missing metadata' }, planCode: null, period: null });
    const { facts, reasons } = foldEvents([bare, created]);
    expect([facts.state, facts.code, reasons.size]).toEqual(['ended', 'agent', 0]);
  });
});

describe('the price', () => {
  test('names the plan once a plan was granted, whatever the metadata still says', () => {
    const changed = event(day(5), 'active', { plan: 'studio' });
    expect(foldEvents([changed]).reasons.get(changed.order.id)).toBe('price of another plan');
    expect(fold(changed, created).code).toBe('studio');
    expect(fold(changed, created, overdue).code).toBe('studio');
  });

  test('a plan whose payment failed is not served: the one before is, in its period', () => {
    const upgraded = event(day(9), 'active', { plan: 'studio', invoice: 'in_rest' });
    const failed = event(day(10), 'past_due', { plan: 'studio', invoice: 'in_rest' });
    const again = event(day(12), 'active', { plan: 'studio', invoice: 'in_rest' });
    const code = (...events: FoldedEvent[]) => project(...events)?.code;
    expect(code(created, upgraded)).toBe('studio');
    expect([code(created, upgraded, failed), code(created, upgraded, failed, again)]).toEqual(['agent', 'studio']);
    expect(code(created, upgraded, failed, invoice(day(11), 'paid', 'in_rest', null))).toBe('studio');
    expect(code(created, upgraded, invoice(day(11), 'void', 'in_rest', null))).toBe('agent');
    const larger = { plan: 'studio', period: december, invoice: 'in_2' };
    expect(code(created, event(day(31), 'active', larger), event(day(32), 'past_due', larger))).toBe('agent');
  });

  test('nothing is granted by a state that is not active, and a plan that nobody paid for is not brought', () => {
    for (const state of ['incomplete', 'past_due', 'unpaid', 'paused', 'ended'] as const)
      expect(project(event(day(1), state))?.period).toBeNull();
    expect(fold(created, event(day(2), 'past_due', { plan: 'studio' })).code).toBe('agent');
  });
});

describe('periods that the provider does not name', () => {
  const period = null;
  const periodAt = (...days: number[]) =>
    fold(...days.map((at) => event(day(at), 'active', { period, invoice: null }))).periods.at(-1);

  test('calendar months from the first grant', () => {
    expect(periodAt(20)).toMatchObject({ start: day(20), end: day(50) });
    expect(periodAt(20, 49)).toMatchObject({ start: day(20), end: day(50) });
    expect(periodAt(20, 50)).toMatchObject({ start: day(50), end: day(81) });
    expect(periodAt(20, 83)?.start).toEqual(day(81));
  });

  test('a period that was named before is kept while it lasts; then months from its start', () => {
    const at = (time: number) => fold(created, event(day(time), 'active', { period, invoice: null })).periods.at(-1);
    expect(at(20)).toMatchObject(november);
    expect(at(31)).toMatchObject({ start: day(31), end: day(62) });
  });
});
