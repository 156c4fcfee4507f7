import { describe, expect, test } from 'vitest';
import { planNotice } from '../mail/plan-notice.ts';
import { newsOf, type ToldPlan } from './plan-news.ts';

const now = new Date('2026-11-29T12:00:00Z');
const at = (day: number) => new Date(now.getTime() + day * 86_400_000);
const active: ToldPlan = {
  status: 'active',
  status_detail: null,
  serves_until: null,
  ends_at: null,
  paid_until: at(20),
  collection_paused: false,
  period_start: at(-10),
  period_end: at(20),
};
const never: ToldPlan = { ...active, status: 'paused', paid_until: null };
delete never.period_start;
delete never.period_end;
const overdue: ToldPlan = { ...active, status: 'past_due' };
const voided: ToldPlan = {
  ...active,
  status: 'past_due',
  status_detail: 'not_paid',
  serves_until: at(-10),
  paid_until: null,
};
const stopped: ToldPlan = { ...active, status: 'stopped' };
const paused: ToldPlan = { ...active, status: 'paused' };
const ended: ToldPlan = { ...active, status: 'canceled', ends_at: now };
const ending: ToldPlan = { ...active, ends_at: at(20) };
const uncollected: ToldPlan = { ...active, collection_paused: true };

const day = (days: number) => at(days).toISOString();

describe('the notifications that managers get about a change', () => {
  test.each<[string, ToldPlan | null, ToldPlan, string | null]>([
    ['a plan begins', null, active, 'active'],
    ['a trial begins', null, { ...active, status_detail: 'trial' }, 'active'],
    ['nothing yet, nothing ended', null, { ...never, status: 'canceled' }, null],
    ['it ends before it began', null, ended, null],
    ['paused before its first grant', null, never, null],
    ['its first grant arrives', never, active, 'active'],
    ['the trial is over and paid', { ...active, status_detail: 'trial' }, active, null],
    ['renewed', active, { ...active, paid_until: at(50), period_start: at(20), period_end: at(50) }, null],
    ['overdue', active, overdue, `past_due ${day(20)}`],
    ['overdue, with an end', active, { ...overdue, ends_at: at(5) }, `past_due ${day(5)}`],
    ['overdue, and over', active, { ...overdue, period_end: at(-1), paid_until: at(-1) }, `past_due ${day(-1)}`],
    ['overdue once more', overdue, { ...overdue, paid_until: null }, null],
    ['not paid, and nothing was paid before', active, voided, 'not_paid'],
    ['given up after it was overdue', overdue, { ...overdue, status_detail: 'not_paid' }, `not_paid ${day(20)}`],
    ['overdue after it was given up', { ...overdue, status_detail: 'not_paid' }, overdue, null],
    ['paid again', overdue, active, 'resumed'],
    ['stopped', overdue, stopped, 'stopped'],
    ['stopped with its payments', uncollected, { ...stopped, collection_paused: true }, 'uncollected'],
    ['paid after it stopped', stopped, active, 'resumed'],
    ['paused', active, paused, 'paused'],
    ['resumed', paused, active, 'resumed'],
    ['ended', stopped, ended, `canceled ${day(0)}`],
    ['ended, told before', ended, { ...ended, ends_at: at(1) }, null],
    ['back after its end', ended, active, 'active'],
    ['will end', active, ending, `ends ${day(20)}`],
    ['will end sooner', ending, { ...ending, ends_at: at(3) }, `ends ${day(3)}`],
    ['the end is taken back', ending, active, 'kept'],
    ['payment is paused', active, uncollected, `collection_paused ${day(20)}`],
    ['payment goes on', uncollected, active, 'resumed'],
    ['nothing visible changed', active, { ...active }, null],
  ])('%s', (_name, before, after, news) => {
    expect(newsOf(before, after, now)).toBe(news);
  });
});

test.each([
  ['active', 'Your plan is active', 'The plan "Solo" is active: you can order with it.'],
  ['resumed', 'Your plan goes on', 'The plan "Solo" goes on: you can order with it.'],
  [
    'past_due 2998-05-06T12:30:00.000Z',
    'A payment is overdue',
    'The payment for the plan "Solo" is overdue; you can order with it until 6 May 2998 at 12:30 UTC.',
  ],
  // As the version before wrote it.
  [
    'past_due',
    'A payment is overdue',
    'The payment for the plan "Solo" is overdue. Nothing can be ordered beyond what was paid.',
  ],
  ['not_paid', 'Your plan is not paid', 'The plan "Solo" is not paid. Nothing can be ordered beyond what was paid.'],
  [
    'stopped',
    'Your plan has stopped',
    'The plan "Solo" has stopped, because it is not paid: nothing can be ordered with it until its newest invoice is paid. Jobs that were ordered with it go on.',
  ],
  [
    'paused',
    'Your plan is paused',
    'The plan "Solo" is paused: nothing can be ordered with it until a way to pay is added and it is resumed. Jobs that were ordered with it go on.',
  ],
  [
    'collection_paused 2998-05-06T12:30:00.000Z',
    'The payment for your plan is paused',
    'The payment for the plan "Solo" is paused; you can order with it until 6 May 2998 at 12:30 UTC.',
  ],
  [
    'ends 2998-05-06T12:30:00.000Z',
    'Your plan will end',
    'The plan "Solo" ends on 6 May 2998 at 12:30 UTC; nothing is charged after it.',
  ],
  ['kept', 'Your plan will not end', 'The plan "Solo" no longer has a date on which it ends.'],
  [
    'canceled 2020-05-06T12:30:00.000Z',
    'Your plan has ended',
    'The plan "Solo" ended on 6 May 2020 at 12:30 UTC. Jobs that were ordered with it go on.',
  ],
  ['canceled', 'Your plan has ended', 'The plan "Solo" has ended. Jobs that were ordered with it go on.'],
])('a notification about a plan with the state %s', (state, title, text) => {
  const notice = planNotice(state);
  expect([notice?.title, notice?.text('Solo')]).toEqual([title, text]);
});

test('a state that a later version wrote has no words', () => {
  expect([planNotice('toString'), planNotice('moved 2026-01-01'), planNotice(null)]).toEqual([null, null, null]);
});
