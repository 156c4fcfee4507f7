import { expect, test } from 'vitest';
import { sayLength, wavePeaks } from './length.ts';

test.each([
  [0, '0:00'],
  [24.4, '0:24'],
  [59.6, '1:00'],
  [3_725, '1:02:05'],
])('%d s is %s', (seconds, words) => {
  expect(sayLength(seconds)).toBe(words);
});

test('the peaks of a sound are shares of its loudest sample', () => {
  expect(wavePeaks(new Float32Array([0, 0.25, -0.5, 0.1]), 2)).toEqual([0.5, 1]);
  expect(wavePeaks(new Float32Array([0, 0]), 2)).toEqual([0, 0]);
  expect(wavePeaks(new Float32Array([1]), 2)).toEqual([1, 0]);
});
