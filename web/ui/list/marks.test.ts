import { expect, test } from 'vitest';
import { markedTo, noneMarked, toggled } from './marks.ts';

const order = ['a', 'b', 'c', 'd', 'e'];

test('a row is marked and unmarked', () => {
  const one = toggled(noneMarked, 'b');
  expect(one).toEqual({ ids: ['b'], last: 'b' });
  expect(toggled(one, 'b').ids).toEqual([]);
});

test('a range goes from the last row to this one, in either direction, and keeps what is marked', () => {
  expect(markedTo(toggled(noneMarked, 'b'), 'd', order).ids).toEqual(['b', 'c', 'd']);
  expect(markedTo(toggled(noneMarked, 'd'), 'b', order).ids.toSorted()).toEqual(['b', 'c', 'd']);
  const more = markedTo(toggled(toggled(noneMarked, 'a'), 'c'), 'd', order);
  expect(more).toEqual({ ids: ['a', 'c', 'd'], last: 'd' });
});

test('without a last row in the list, the range is this row', () => {
  expect(markedTo(noneMarked, 'c', order).ids).toEqual(['c']);
  expect(markedTo({ ids: [], last: 'gone' }, 'c', order).ids).toEqual(['c']);
});
