import { expect, test } from 'vitest';
import { elsewhere, neighbor, nextNumber } from './comments.ts';

const comments = [
  { id: 'b', number: 2, fileId: 'one' },
  { id: 'a', number: 1, fileId: 'one' },
  { id: 'd', number: 4, fileId: 'two' },
];

test('numbers run on through the round, past deleted ones', () => {
  expect(nextNumber(comments)).toBe(5);
  expect(nextNumber([])).toBe(1);
});

test.each([
  [null, 1, 'a'],
  ['a', 1, 'b'],
  ['d', 1, 'a'],
  ['a', -1, 'd'],
  [null, -1, 'd'],
] as const)('from %s by %d comes %s', (selected, by, id) => {
  expect(neighbor(comments, selected, by)?.id).toBe(id);
});

test('without comments there is no neighbor', () => {
  expect(neighbor([], null, 1)).toBeUndefined();
});

test('files with comments are counted beside the open one', () => {
  const files = [{ id: 'three' }, { id: 'two' }, { id: 'one' }];
  expect(elsewhere(files, comments, 'two')).toEqual([{ file: { id: 'one' }, count: 2 }]);
});
