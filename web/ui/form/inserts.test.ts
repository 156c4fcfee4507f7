import { describe, expect, test } from 'vitest';
import { inserted, matching, queryAfter } from './inserts.ts';

const bySlash = { from: 0, to: 1, slash: true };

describe('the query', () => {
  test('is opened by a slash as the first character only', () => {
    expect(queryAfter('/', 1, null)).toEqual(bySlash);
    expect(queryAfter('/Hello', 1, null)).toEqual(bySlash);
    for (const [text, caret] of [
      ['/pasted', 7],
      ['a/', 2],
      ['', 0],
    ] as const)
      expect(queryAfter(text, caret, null)).toBeNull();
  });

  test('grows with what is typed, and ends with the line, with its slash or before its place', () => {
    expect(queryAfter('/first sk', 9, bySlash)).toEqual({ ...bySlash, to: 9 });
    expect(queryAfter('/x\n', 3, bySlash)).toBeNull();
    expect(queryAfter('x', 1, bySlash)).toBeNull();
    const byButton = { from: 6, to: 6, slash: false };
    expect(queryAfter('Hello fi', 8, byButton)).toEqual({ ...byButton, to: 8 });
    expect(queryAfter('Hello', 5, byButton)).toBeNull();
    expect(queryAfter('x'.repeat(70), 70, byButton)).toBeNull();
  });
});

const items = ['First sketch', 'Last sketch', 'Thanks'].map((name) => ({ id: name, name, text: `${name}!` }));

test('names match by all words of the filter, in any order and case', () => {
  const names = (text: string) => matching(items, text, { ...bySlash, to: text.length }).map(({ name }) => name);
  expect(names('/')).toHaveLength(3);
  expect(names('/SKETCH')).toEqual(['First sketch', 'Last sketch']);
  expect(names('/sketch last ')).toEqual(['Last sketch']);
  expect(names('/nothing')).toEqual([]);
});

test('an insert takes the place of the query, and the rest stays', () => {
  expect(inserted('/tha and more', { from: 0, to: 4, slash: true }, items[2]!)).toBe('Thanks! and more');
  expect(inserted('Ada, th', { from: 5, to: 7, slash: false }, items[2]!)).toBe('Ada, Thanks!');
});
