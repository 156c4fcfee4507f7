import { expect, test } from 'vitest';
import { sayBesideWish } from './wish.ts';

test.each([
  ['2026-11-24T20:00:00', '11 days before your wish'],
  ['2026-12-04T23:59:00', 'a day before your wish'],
  ['2026-12-05T23:00:00', 'on the day of your wish'],
  ['2026-12-06T00:10:00', 'a day after your wish'],
  ['2026-12-07T09:00:00', '2 days after your wish'],
])('%s is %s', (planned, words) => {
  expect(sayBesideWish('2026-12-05T12:00:00', Date.parse(planned))).toBe(words);
});
