import { describe, expect, test } from 'vitest';

import { boundOfDay, startOfDay } from './day.ts';
import { sayRelative } from './time.tsx';

describe('boundOfDay', () => {
  test('a day begins and ends at the midnight of the reader, also where the clocks change', () => {
    expect(boundOfDay('2026-11-22')).toBe('2026-11-21T23:00:00.000Z');
    expect(boundOfDay('2026-11-22', 1)).toBe('2026-11-22T23:00:00.000Z');
    expect(boundOfDay('2026-10-25')).toBe('2026-10-24T22:00:00.000Z');
    expect(boundOfDay('2026-10-25', 1)).toBe('2026-10-25T23:00:00.000Z');
  });

  test.each(['notaday', '2026-02-99', '2026-2-1', '', undefined])('%s is no day', (text) => {
    expect(boundOfDay(text)).toBeUndefined();
  });
});

test('a day begins at midnight, and days are counted over the end of a month', () => {
  const at = Date.parse('2026-11-30T15:30:00+01:00');
  expect(new Date(startOfDay(at)).toISOString()).toBe('2026-11-29T23:00:00.000Z');
  expect(new Date(startOfDay(at, 1)).toISOString()).toBe('2026-11-30T23:00:00.000Z');
});

test('a time is said as near as a reader needs it', () => {
  const now = Date.parse('2026-11-22T12:00:00+01:00');
  const minute = 60_000;
  const said = (minutes: number) => sayRelative(now + minutes * minute, now);
  expect([-0.5, -4, -119, 5 * 60, -13 * 60, 13 * 60, -3 * 24 * 60].map(said)).toEqual([
    'now',
    '4 min. ago',
    '1 hr. ago',
    'in 5 hr.',
    'yesterday',
    'tomorrow',
    '3 days ago',
  ]);
});
