import { expect, test } from 'vitest';
import { reordered } from './reordered.ts';

test('an item goes to its new place, and no further than the ends', () => {
  const list = ['a', 'b', 'c', 'd'];
  expect(reordered(list, 'a', 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(reordered(list, 'd', 0)).toEqual(['d', 'a', 'b', 'c']);
  expect(reordered(list, 'b', -1)).toEqual(['b', 'a', 'c', 'd']);
  expect(reordered(list, 'b', 9)).toEqual(['a', 'c', 'd', 'b']);
});

test('an item that is not in the list changes nothing', () => {
  expect(reordered(['a', 'b'], 'c', 0)).toEqual(['a', 'b']);
});
