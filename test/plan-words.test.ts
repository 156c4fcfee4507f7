import { describe, expect, test } from 'vitest';
import {
  hasEnded,
  isPlain,
  isRunning,
  isUsable,
  type PlanFacts,
  planLabel,
  planSentence,
  remedyOf,
  renews,
  servesUntil,
  whyNotClosed,
} from '../contract/plans/plan-words.ts';

const [past, soon, later] = ['2020-03-04T12:00:00Z', '2998-05-06T12:00:00Z', '2999-07-08T12:00:00Z'];
const plan = (change: Partial<PlanFacts>): PlanFacts => ({
  name: 'Solo',
  status: 'active',
  status_detail: null,
  ends_at: null,
  paid_until: null,
  collection_paused: false,
  period: { end: soon },
  ...change,
});
const day = (time: string) => time.slice(0, 10);

/** Each state with its label, its sentence, and what can be done about it. */
const states: [string, Partial<PlanFacts>, string, string, ReturnType<typeof remedyOf>][] = [
  ['active', {}, 'Active', 'Solo is active; its period ends on 2998-05-06.', null],
  [
    'in the hours of grace',
    { period: { end: past } },
    'Active',
    'Solo is active; its period ended on 2020-03-04, and no renewal has arrived yet.',
    null,
  ],
  [
    'a trial',
    { status_detail: 'trial', paid_until: soon },
    'Trial until 2998-05-06',
    'The trial of Solo lasts until 2998-05-06.',
    null,
  ],
  ['a trial without a date', { status_detail: 'trial' }, 'Trial', 'Solo is on trial.', null],
  [
    'with an end',
    { ends_at: soon },
    'Ends on 2998-05-06',
    'Solo ends on 2998-05-06; nothing is charged after it.',
    'keep',
  ],
  [
    'a trial with an end',
    { status_detail: 'trial', paid_until: soon, ends_at: soon },
    'Ends on 2998-05-06',
    'Solo ends on 2998-05-06; nothing is charged after it.',
    'keep',
  ],
  [
    'payment paused',
    { collection_paused: true, paid_until: past },
    'Payment is paused',
    'The payment for Solo is paused; you can order with it until 2998-05-06.',
    null,
  ],
  [
    'payment paused, in the hours of grace',
    { collection_paused: true, period: { end: past } },
    'Payment is paused',
    'The payment for Solo is paused.',
    null,
  ],
  [
    'payment paused, with an end',
    { collection_paused: true, ends_at: soon },
    'Ends on 2998-05-06',
    'Solo ends on 2998-05-06; nothing is charged after it. Its payment is paused.',
    'keep',
  ],
  [
    'overdue',
    { status: 'past_due' },
    'Payment overdue',
    'The payment for Solo is overdue; you can order with it until 2998-05-06.',
    'pay',
  ],
  [
    'overdue, with an end before the period is over',
    { status: 'past_due', ends_at: soon, period: { end: later } },
    'Payment overdue',
    'The payment for Solo is overdue; you can order with it until 2998-05-06. It ends on 2998-05-06.',
    'pay',
  ],
  [
    'overdue and over',
    { status: 'past_due', paid_until: past, period: { end: past } },
    'Payment overdue',
    'The payment for Solo is overdue, and what was paid ended on 2020-03-04: nothing can be ordered with it until it is paid.',
    'pay',
  ],
  [
    'not paid, and nothing was paid before',
    { status: 'past_due', status_detail: 'not_paid', period: { end: past } },
    'Not paid',
    'Solo is not paid: nothing can be ordered with it until it is paid.',
    'pay',
  ],
  [
    'paused',
    { status: 'paused', period: null },
    'Paused',
    'Solo is paused: nothing can be ordered with it until a way to pay is added and it is resumed.',
    'resume',
  ],
  [
    'stopped',
    { status: 'stopped', paid_until: past },
    'Stopped',
    'Solo has stopped, because it is not paid: nothing can be ordered with it until its newest invoice is paid.',
    'pay',
  ],
  [
    'stopped by the studio',
    { status: 'stopped', collection_paused: true },
    'Stopped',
    'Solo has stopped, because its payment is paused: nothing can be ordered with it until the studio resumes its payment.',
    'ask',
  ],
  ['ended', { status: 'canceled', ends_at: past }, 'Ended on 2020-03-04', 'Solo ended on 2020-03-04.', null],
  ['ended, nobody knows when', { status: 'canceled' }, 'Ended', 'Solo has ended.', null],
  [
    'paused, its end has come',
    { status: 'paused', ends_at: past },
    'Ended on 2020-03-04',
    'Solo ended on 2020-03-04.',
    null,
  ],
  [
    'not renewed',
    { status: 'expired', period: { end: past } },
    'Not renewed',
    'The period of Solo ended on 2020-03-04, and no renewal has arrived.',
    null,
  ],
];

test.each(states)('%s: label, sentence and remedy', (_name, change, label, sentence, remedy) => {
  expect([planLabel(plan(change), day), planSentence(plan(change), day), remedyOf(plan(change))]).toEqual([
    label,
    sentence,
    remedy,
  ]);
});

test('no sentence has a date that does not follow from the facts', () => {
  for (const [, change] of states) {
    const facts = plan(change);
    const known = [facts.ends_at, facts.paid_until, facts.period?.end].map((time) => time && day(time));
    for (const [date] of `${planSentence(facts, day)} ${planLabel(facts, day)}`.matchAll(/\d{4}-\d\d-\d\d/g))
      expect(known).toContain(date);
  }
});

describe('what a state means', () => {
  const names = (holds: (facts: PlanFacts) => boolean) =>
    states.filter(([, change]) => holds(plan(change))).map(([name]) => name);

  test('what can be ordered with', () => {
    expect(names((facts) => facts.status !== 'active' && isUsable(facts))).toEqual([
      'overdue',
      'overdue, with an end before the period is over',
    ]);
    expect(isUsable(plan({ ends_at: past }))).toBe(false);
  });

  test('which has ended, and which is no subscription any more', () => {
    const ended = ['ended', 'ended, nobody knows when', 'paused, its end has come'];
    expect(names(hasEnded)).toEqual(ended);
    expect(names((facts) => !isRunning(facts))).toEqual([...ended, 'not renewed']);
  });

  test('a new period is promised only where one follows', () => {
    expect(names(renews)).toEqual(['active', 'in the hours of grace', 'a trial', 'a trial without a date']);
    expect(renews(plan({ ends_at: later }))).toBe(true);
    expect(names(isPlain)).toEqual(['active', 'in the hours of grace']);
    expect(isPlain(plan({ ends_at: later }))).toBe(false);
  });

  test('orders end with the period or with the plan', () => {
    expect(servesUntil({ period: { end: later }, ends_at: soon })).toBe(soon);
    expect(servesUntil({ period: { end: soon }, ends_at: later })).toBe(soon);
  });
});

test.each([
  [{}, 'Solo is active.'],
  [{ ends_at: soon }, 'Solo ends on 2998-05-06: the account can be closed after that.'],
  [
    { status: 'past_due' },
    'The payment for Solo is overdue, but its subscription still exists at the payment provider.',
  ],
  [{ status: 'paused' }, 'Solo is paused, but its subscription still exists at the payment provider.'],
  [
    { status: 'stopped' },
    'Solo has stopped, because it is not paid, but its subscription still exists at the payment provider.',
  ],
  [{ status: 'expired' }, 'Solo was not renewed, but may still exist at the payment provider.'],
] as const)('why an account with %j is not closed', (change, words) => {
  expect(whyNotClosed(plan(change), day)).toBe(words);
});

test('a service of the version before sends fewer fields', () => {
  const old = (status: PlanFacts['status']): PlanFacts => ({ name: 'Solo', status, period: { end: soon } });
  expect([planLabel(old('active'), day), renews(old('active')), isPlain(old('active'))]).toEqual([
    'Active',
    true,
    true,
  ]);
  expect([remedyOf(old('active')), remedyOf(old('past_due'))]).toEqual([null, 'pay']);
  expect(planSentence(old('canceled'), day)).toBe('Solo has ended.');
});
