import { describe, expect, test } from 'vitest';
import { rowAfter, settingOf } from './text-view.ts';

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

test('keys go by rows and stay within them', () => {
  const after = (key: string, at: number) => rowAfter(key, at, 100, 20);
  expect(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'].map((key) => after(key, 50))).toEqual([
    49, 51, 30, 70, 0, 99,
  ]);
  expect([after('ArrowUp', 0), after('PageDown', 90), after('Enter', 3)]).toEqual([0, 99, null]);
});
