import { expect, test } from 'vitest';
import type { NextDate } from '../../../client/generated/types.gen.ts';
import { isLate, sayNextDate } from './next-date.ts';

const now = Date.parse('2026-11-30T12:00:00+01:00');
const on = (day: string, hour = '14:00') => new Date(`${day}T${hour}:00+01:00`).toISOString();
const next = (kind: NextDate['kind'], at: string | null, round = 0): NextDate => ({ kind, falls_at: at, round });

test.each([
  [next('first_delivery', on('2026-12-01')), 'First delivery due tomorrow'],
  [next('first_delivery', on('2026-11-30')), 'First delivery due today'],
  [next('first_delivery', on('2026-11-29')), 'First delivery due yesterday'],
  [next('round', on('2026-12-03'), 2), 'Round 2 due Thu, Dec 3'],
  [next('review', on('2026-12-03'), 1), 'Review by Thu, Dec 3'],
  [next('question', on('2026-11-27')), 'The clock has stood still since Fri'],
  [next('question', on('2026-11-20')), 'The clock has stood still since Fri, Nov 20'],
  [next('question', on('2026-11-30', '09:10')), 'The clock has stood still since 09:10 AM'],
  [next('wish', on('2026-12-04')), 'Wished for Fri, Dec 4'],
  [next('none', null, 1), 'No date is promised'],
  [null, null],
])('%j is said as “%s”', (date, words) => {
  expect(sayNextDate(date, now)).toBe(words);
});

test('only a date that the studio promised can be late', () => {
  const past = on('2026-11-29');
  expect(
    (['first_delivery', 'round', 'review', 'question', 'wish'] as const).map((kind) => isLate(next(kind, past), now)),
  ).toEqual([true, true, false, false, false]);
  expect(isLate(next('round', on('2026-12-03')), now)).toBe(false);
  expect(isLate(null, now)).toBe(false);
});
