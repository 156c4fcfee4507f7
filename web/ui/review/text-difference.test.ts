import { expect, test } from 'vitest';
import { differenceOf, type PairOfLines, sayDifferent } from './text-difference.ts';

/** "1 the [old] word | 1 the [new] word". */
const side = (lines: PairOfLines['earlier']) =>
  lines ? `${lines.line} ${lines.words.map(({ words, isOnly }) => (isOnly ? `[${words}]` : words)).join('')}` : '-';
const say = (earlier: string[], later: string[]) =>
  differenceOf(earlier, later)?.map((pair) => `${side(pair.earlier)} | ${side(pair.later)}`);

test('words that only one text has are marked, and lines keep the numbers of their texts', () => {
  expect(say(['Title', 'Open at seven.', 'Bye'], ['Title', 'New', 'Open at six.', 'Bye'])).toEqual([
    '1 Title | 1 Title',
    '- | 2 [New]',
    '2 Open at [seven]. | 3 Open at [six].',
    '3 Bye | 4 Bye',
  ]);
});

test('lines that are added and removed stand alone', () => {
  expect(say(['a', 'b'], ['b', 'c'])).toEqual(['1 [a] | -', '2 b | 1 b', '- | 2 [c]']);
});

test('the count of lines that differ is said', () => {
  expect(sayDifferent(differenceOf(['a'], ['a'])!)).toBe('no line differs');
  expect(sayDifferent(differenceOf(['a'], ['b'])!)).toBe('1 line differs');
  expect(sayDifferent(differenceOf([], ['a', 'b'])!)).toBe('2 lines differ');
});

test('large and very different texts are not compared for long', () => {
  expect(differenceOf(Array<string>(10_000).fill('a'), ['b'])).toBeNull();
  expect(differenceOf(['x'.repeat(1_000_001)], [])).toBeNull();
  const lines = (start: string) => Array.from({ length: 4_900 }, (_, index) => `${start} ${index}`);
  const begun = Date.now();
  differenceOf(lines('before'), lines('after'), 100);
  expect(Date.now() - begun).toBeLessThan(5_000);
});
