import { expect, test } from 'vitest';
import { cropOf } from './crop.ts';

const point = (x: number, y: number) => ({ x, y, w: 0, h: 0 });
const picture = { width: 1000, height: 800 };

test('a point stands in the middle of its crop, with three tenths of the picture around it', () => {
  const crop = cropOf(point(50, 50), picture);
  expect(crop.picture).toEqual({ width: 320, left: -112, top: -96 });
  expect(crop.pin).toEqual({ left: 48, top: 32 });
});

test('a crop never shows what is beyond the picture', () => {
  for (const [x, y] of [
    [0, 0],
    [100, 100],
    [0, 100],
  ] as const) {
    const { picture: behind, pin } = cropOf(point(x, y), picture);
    expect(behind.left).toBeLessThanOrEqual(0);
    expect(behind.width + behind.left).toBeGreaterThanOrEqual(96 - 1e-9);
    expect((behind.width * 800) / 1000 + behind.top).toBeGreaterThanOrEqual(64 - 1e-9);
    expect([pin.left, pin.top]).toEqual([x === 0 ? 0 : 96, y === 0 ? 0 : 64]);
  }
});

test('a region is inside its crop as a whole', () => {
  for (const size of [picture, { width: 2000, height: 900 }, { width: 200, height: 2000 }]) {
    const { region } = cropOf({ x: 10, y: 10, w: 20, h: 2 }, size);
    expect(region.width).toBeLessThanOrEqual(96);
    expect(region.height).toBeLessThanOrEqual(64);
  }
});
