import { expect, test } from 'vitest';
import { differenceOf, type PairOfLines, sayDifferent, shownWords } from './text-difference.ts';

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
  expect(sayDifferent(differenceOf(['a'], ['a'])!, true)).toBe('no line differs');
  expect(sayDifferent(differenceOf(['a'], ['b'])!, true)).toBe('1 line differs');
  expect(sayDifferent(differenceOf([], ['a', 'b'])!, true)).toBe('2 lines differ');
});

test('of texts that are not whole, it is never said that no line differs', () => {
  expect(sayDifferent(differenceOf(['a'], ['a'])!, false)).toBe('only the first part was compared, and it is the same');
  expect(sayDifferent(differenceOf(['a'], ['b'])!, false)).toBe('1 line differs, only the first part was compared');
});

test('a difference behind the cut of a long line marks the line and the sign of its cut', () => {
  const line = (at: number, word: string) => `${'x'.repeat(at - 1)} ${word} ${'y'.repeat(29_000 - at)}`;
  const marks = (at: number) => {
    const [pair] = differenceOf([line(at, 'red')], [line(at, 'blue')])!;
    const shown = shownWords(pair!.later!.words);
    expect(shown.map(({ words }) => words).join('')).toBe(`${line(at, 'blue').slice(0, 20_000)}…`);
    return [pair!.isSame, ...shown.filter(({ isOnly }) => isOnly).map(({ words }) => words)];
  };
  expect(marks(25_000)).toEqual([false, '', '…']);
  expect(marks(10_000)).toEqual([false, 'blue']);
  expect(marks(19_998)).toEqual([false, 'bl', '…']);
});

test('control characters that differ are marked, though they are shown as the same sign', () => {
  const [pair] = differenceOf(['a \0'], ['a \x80'])!;
  expect(shownWords(pair!.later!.words)).toEqual([
    { words: 'a ', isOnly: false },
    { words: '␀', isOnly: true },
  ]);
});

test('large and very different texts are not compared for long', () => {
  expect(differenceOf(Array<string>(10_000).fill('a'), ['b'])).toBeNull();
  expect(differenceOf(['x'.repeat(1_000_001)], [])).toBeNull();
  const lines = (start: string) => Array.from({ length: 4_900 }, (_, index) => `${start} ${index}`);
  const begun = Date.now();
  differenceOf(lines('before'), lines('after'), 100);
  expect(Date.now() - begun).toBeLessThan(5_000);
});
