import { describe, expect, test } from 'vitest';
import { lineAfter, settingOf } from './text-view.ts';

describe('a text is set', () => {
  const short = ['Colours', 'Green 1f4a37'];
  test.each([
    ['text/markdown', short, 'first'],
    ['text/plain', short, 'possible'],
    ['text/plain', ['word '.repeat(30)], 'first'],
    ['text/csv', short, null],
    ['application/json', short, null],
    ['text/markdown', Array<string>(300).fill('x'.repeat(1_000)), null],
  ] as const)('%s, %#: %s', (type, lines, setting) => {
    expect(settingOf(type, [...lines])).toBe(setting);
  });
});

test('keys go to the lines before and after a row, and stay within the text', () => {
  const after = (key: string, from: number, to = from) => lineAfter(key, { from, to }, 100, 20);
  const keys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];
  expect(keys.map((key) => after(key, 50, 52))).toEqual([49, 53, 30, 72, 1, 100]);
  expect([after('ArrowUp', 1), after('PageDown', 90), after('Enter', 3)]).toEqual([1, 100, null]);
});
