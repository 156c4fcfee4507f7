import { expect, test } from 'vitest';
import { steady } from './use-steady-rows.ts';

const row = (id: string, words = '') => ({ id, words });

test('rows keep their places and say what they say now', () => {
  const { rows } = steady([row('a'), row('b', 'old')], [row('b', 'new'), row('a')]);
  expect(rows).toEqual([
    { row: row('a'), gone: false },
    { row: row('b', 'new'), gone: false },
  ]);
});

test('a row that left the list stays as it was last seen, marked as gone', () => {
  expect(steady([row('a', 'as it was')], []).rows).toEqual([{ row: row('a', 'as it was'), gone: true }]);
});

test('new rows are only counted', () => {
  const { rows, waiting } = steady([row('a')], [row('c'), row('a'), row('b')]);
  expect(rows.map((one) => one.row.id)).toEqual(['a']);
  expect(waiting).toBe(2);
});
