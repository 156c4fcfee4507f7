import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openHeif } from './heif.ts';

const heic = readFileSync('test/support/turned.heic');

test('decodes the primary picture upright, with its profile', () => {
  const { width, height, decode } = openHeif(heic, 240 * 320 + 1_000);
  expect([width, height]).toEqual([240, 320]);
  const { rgba, rowPixels, profile } = decode();
  expect(rgba.length).toBe(4 * rowPixels * height);
  expect(profile?.length).toBeGreaterThan(100);
});

test('decodes no more pixels than allowed, and still says how many there are', () => {
  const { width, height, decode } = openHeif(heic, 240 * 320 - 1_000);
  expect([width, height]).toEqual([240, 320]);
  expect(() => decode()).toThrow('The picture cannot be read.');
});
