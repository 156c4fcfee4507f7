import { expect, test } from 'vitest';
import { sayPicture, sayZoom } from './use-picture.ts';

const [large, small] = [
  { width: 6_000, height: 4_000 },
  { width: 2_048, height: 1_365 },
];
const picture = { trueSize: large, drawn: small, part: '' };

test('the size of a picture is never that of its drawing', () => {
  expect(sayPicture({ ...picture, state: 'whole' })).toBe('6,000 × 4,000');
  expect(sayPicture({ ...picture, state: 'loading' })).toBe('6,000 × 4,000');
  expect(sayPicture({ ...picture, state: 'loading', trueSize: null })).toBe('');
  expect(sayPicture({ ...picture, state: 'heavy' })).toBe('6,000 × 4,000 · reduced to 2,048 × 1,365');
  expect(sayPicture({ ...picture, state: 'broken', trueSize: null })).toBe('reduced to 2,048 × 1,365');
  expect(sayPicture({ ...picture, state: 'drawing' })).toBe('6,000 × 4,000 · shown as a drawing of 2,048 × 1,365');
  expect(sayPicture({ ...picture, state: 'drawing', trueSize: small, part: 'first page' })).toBe(
    '2,048 × 1,365 · shown as a drawing · first page',
  );
  expect(sayPicture({ ...picture, state: 'drawing', trueSize: null })).toBe('a drawing of 2,048 × 1,365');
});

test('a percentage is of true pixels, up to those that are there', () => {
  expect(sayZoom({ ...picture, state: 'whole' }, 4)).toBeNull();
  expect(sayZoom({ ...picture, state: 'drawing' }, 0.34)).toBeNull();
  expect(sayZoom({ ...picture, state: 'drawing' }, 1)).toBe('enlarged');
  expect(sayZoom({ ...picture, state: 'drawing', trueSize: null }, 1)).toBe('drawing');
  expect(sayZoom({ ...picture, state: 'loading', trueSize: null }, 1)).toBe('');
});
