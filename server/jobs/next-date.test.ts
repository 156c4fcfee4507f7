import { expect, test } from 'vitest';
import { nextDate } from './job.ts';

const at = '2026-12-03T14:00:00.000Z';
const later = '2026-12-09T14:00:00.000Z';
type Dated = Parameters<typeof nextDate>[0];
const job = (changes: Partial<Dated>): Dated => ({
  status: 'running',
  revisions_used: 0,
  due_round: 0,
  due_at: null,
  waiting_since: null,
  review_due_at: null,
  wanted_by: null,
  ...changes,
});

test.each<[string, Partial<Dated>, ReturnType<typeof nextDate>]>([
  ['the first delivery', { due_at: at, wanted_by: later }, { kind: 'first_delivery', falls_at: at, round: 0 }],
  ['a round', { due_at: at, due_round: 2, revisions_used: 2 }, { kind: 'round', falls_at: at, round: 2 }],
  ['a round without a date', { due_at: at, revisions_used: 1 }, { kind: 'none', falls_at: null, round: 1 }],
  [
    'a round without a date, and a wish',
    { due_at: at, revisions_used: 1, wanted_by: later },
    { kind: 'wish', falls_at: later, round: 1 },
  ],
  ['an open question', { waiting_since: at, wanted_by: later }, { kind: 'question', falls_at: at, round: 0 }],
  [
    'a review, whatever was planned',
    { status: 'ready_for_customer_review', review_due_at: later, due_at: at, revisions_used: 1, due_round: 1 },
    { kind: 'review', falls_at: later, round: 1 },
  ],
  ['nothing promised', {}, { kind: 'none', falls_at: null, round: 0 }],
  ['a job that has ended', { status: 'completed', due_at: at, wanted_by: later }, null],
])('%s', (_, changes, expected) => {
  expect(nextDate(job(changes))).toEqual(expected);
});
