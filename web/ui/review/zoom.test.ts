import { expect, test } from 'vitest';
import { fitView, panBy, percentIn, showPoint, zoomAt } from './zoom.ts';

const stage = { width: 1000, height: 600 };
const picture = { width: 3600, height: 2400 };

test('a large picture fits with a margin, in the middle', () => {
  const view = fitView(picture, stage);
  expect(view.scale).toBeCloseTo(512 / 2400);
  expect(view.y).toBeCloseTo(16);
  expect(view.x).toBeCloseTo((1000 - 768) / 2);
});

test('a small picture keeps its size', () => {
  expect(fitView({ width: 100, height: 100 }, stage)).toEqual({ scale: 1, x: 450, y: 222 });
});

test('the point below the pointer stays while zooming', () => {
  const view = fitView(picture, stage);
  const at = { x: 400, y: 300 };
  const zoomed = zoomAt(view, 2, at, picture, stage);
  expect(zoomed.scale).toBeCloseTo(view.scale * 2);
  const below = ({ scale, x, y }: typeof view) => [(at.x - x) / scale, (at.y - y) / scale];
  expect(below(zoomed)[0]).toBeCloseTo(below(view)[0] ?? 0);
  expect(below(zoomed)[1]).toBeCloseTo(below(view)[1] ?? 0);
});

test('zooming ends at 800 %', () => {
  const at = { x: 500, y: 300 };
  expect(zoomAt(fitView(picture, stage), 1_000, at, picture, stage).scale).toBe(8);
  expect(zoomAt(fitView(picture, stage), 1 / 1_000, at, picture, stage).scale).toBeCloseTo(512 / 2400 / 4);
});

test('a part of the picture stays on the stage', () => {
  const view = panBy(fitView(picture, stage), { x: 9_999, y: -9_999 }, picture, stage);
  expect([view.x, view.y]).toEqual([940, 60 - 512]);
});

test('a point is moved to the middle only if it is outside', () => {
  const view = { scale: 1, x: 0, y: 0 };
  expect(showPoint(view, { x: 10, y: 10 }, picture, stage)).toBe(view);
  expect(showPoint(view, { x: 50, y: 50 }, picture, stage)).toEqual({ scale: 1, x: -1300, y: -900 });
});

test('a pointer is told in percent, and never outside', () => {
  const rect = { left: 100, top: 100, width: 200, height: 400 };
  expect(percentIn(rect, { clientX: 150, clientY: 200 })).toEqual({ x: 25, y: 25 });
  expect(percentIn(rect, { clientX: 0, clientY: 999 })).toEqual({ x: 0, y: 100 });
});
