import { expect, test } from 'vitest';
import { rangeOf } from './spot.ts';

test('a spot is the rest of its line, and never outside the text', () => {
  const text = 'one\ntwo: 2\nthree';
  const partOf = (line: number, column: number) => text.slice(...rangeOf(text, { file: 'plans.yaml', line, column }));
  expect([partOf(2, 1), partOf(2, 6), partOf(3, 99), partOf(9, 1)]).toEqual(['two: 2', '2', '', 'three']);
});
