import { expect, test } from 'vitest';
import { rangeOf } from './range.ts';

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-4', { start: 2, end: 4 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=2-99', { start: 2, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
])('%s of 10 bytes is one part', (header, part) => {
  expect(rangeOf(header, 10)).toEqual(part);
});

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=999999999999999-'])('%s is beyond 10 bytes', (header) => {
  expect(rangeOf(header, 10)).toBe('beyond');
});

test.each([
  undefined,
  '',
  'bytes=',
  'bytes=-',
  'bytes=4-2',
  'bytes=0-1,4-5',
  'bytes=a-b',
  'items=0-1',
  'bytes=0x1-2',
  'bytes= 1-2',
  `bytes=${'9'.repeat(400)}-`,
])('%s asks for everything', (header) => {
  expect(rangeOf(header, 10)).toBeNull();
});
