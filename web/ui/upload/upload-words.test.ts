import { expect, test } from 'vitest';
import { sayBytes } from './bytes.ts';

test('sizes are said in the unit that suits them', () => {
  const sizes = [0, 1, 1024, 1_234_567, 52_428_800, 3 * 1024 ** 3];
  expect(sizes.map(sayBytes)).toEqual(['0 kB', '0.1 kB', '1 kB', '1.2 MB', '50 MB', '3 GB']);
});
