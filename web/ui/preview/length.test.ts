import { expect, test } from 'vitest';
import { peaksOf, sayTime } from './length.ts';

test.each([
  [0, '0:00'],
  [4, '0:04'],
  [12.5, '0:12.5'],
  [59.96, '1:00'],
  [3723, '1:02:03'],
])('%d seconds are %s', (seconds, words) => {
  expect(sayTime(seconds)).toBe(words);
});

test('each part of the sound is as high as its loudest sample', () => {
  expect(peaksOf(Float32Array.from([0, 0.25, -0.5, 0.125]), 2)).toEqual([0.5, 1]);
  expect(peaksOf(Float32Array.from([0, 0.25, -0.5, 0.125]), 4)).toEqual([0, 0.5, 1, 0.25]);
});

test('silence is flat', () => {
  expect(peaksOf(new Float32Array(8), 4)).toEqual([0, 0, 0, 0]);
  expect(peaksOf(new Float32Array(0), 2)).toEqual([0, 0]);
});
