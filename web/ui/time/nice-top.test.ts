import { expect, test } from 'vitest';
import { niceTop } from './nice-top.ts';

test('an axis ends at an even number at or above the highest bar', () => {
  expect([1, 2, 3, 5, 7, 9, 11, 42, 99, 100, 101].map(niceTop)).toEqual([2, 2, 4, 6, 8, 10, 20, 60, 100, 100, 200]);
});
