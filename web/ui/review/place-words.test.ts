import { expect, test } from 'vitest';
import { parsePlace } from './place.ts';
import { sayBox, sayPlace, sayPlaceIn, sayPlaceShortly } from './place-words.ts';

test.each([
  [{ x: 10, y: 10, w: 0, h: 0 }, 'a point at the left, in the upper third'],
  [{ x: 50, y: 50, w: 0, h: 0 }, 'a point in the middle'],
  [{ x: 50, y: 90, w: 0, h: 0 }, 'a point in the center, in the lower third'],
  [{ x: 60, y: 30, w: 30, h: 30 }, 'a region at the right, at half height'],
])('%o is %s', (box, words) => {
  expect(sayBox(box)).toBe(words);
});

test('a place is said with all its parts', () => {
  const box = { x: 10, y: 10, w: 0, h: 0 };
  expect(sayPlace({ page: 2, box })).toBe('page 2, a point at the left, in the upper third');
  expect(sayPlace({ time: { from: 4, to: 7 } })).toBe('0:04 to 0:07');
  expect(sayPlace({ lines: { from: 3, to: 3 } })).toBe('line 3');
  expect(sayPlace(null)).toBe('');
  expect(sayPlaceShortly({ time: { from: 12.5 }, box })).toBe('0:12.5 · point');
  expect(sayPlaceShortly({ lines: { from: 3, to: 5 } })).toBe('lines 3 to 5');
});

test.each([
  [null, 'menu.pdf'],
  ['xywh=percent:40,30,0,0', 'a point in menu.pdf'],
  ['page=2&xywh=percent:40,30,10,5', 'page 2, a region in menu.pdf'],
  ['t=12.5', '0:12.5 in menu.pdf'],
  ['t=65,80', '1:05 to 1:20 in menu.pdf'],
  ['line=10,12', 'lines 11 to 12 in menu.pdf'],
  ['line=10,11', 'line 11 in menu.pdf'],
  ['something=else', 'menu.pdf'],
])('the place %j in a file: %s', (at, words) => {
  expect(sayPlaceIn(parsePlace(at), 'menu.pdf')).toBe(words);
});
