import { expect, test } from 'vitest';
import { peaksOf } from './wave.ts';

test('each part of the sound is as high as its loudest sample', () => {
  expect(peaksOf(Float32Array.from([0, 0.25, -0.5, 0.125]), 2)).toEqual([0.5, 1]);
});

test('silence is flat', () => {
  expect(peaksOf(new Float32Array(8), 4)).toEqual([0, 0, 0, 0]);
  expect(peaksOf(new Float32Array(0), 2)).toEqual([0, 0]);
});
