import { describe, expect, test } from 'vitest';
import { boxBetween, boxWithin, fragmentOf, movedBox, parsePlace, type Place } from './place.ts';

describe('fragments', () => {
  test.each<[string, Place]>([
    ['xywh=percent:12.5,40,0,0', { box: { x: 12.5, y: 40, w: 0, h: 0 } }],
    ['page=3&xywh=percent:1,2,3,4', { page: 3, box: { x: 1, y: 2, w: 3, h: 4 } }],
    ['page=3', { page: 3 }],
    ['t=12.5', { time: { from: 12.5 } }],
    ['t=12.5,20', { time: { from: 12.5, to: 20 } }],
    ['t=0&xywh=percent:50,50,0,0', { time: { from: 0 }, box: { x: 50, y: 50, w: 0, h: 0 } }],
    ['line=10,12', { lines: { from: 11, to: 12 } }],
  ])('%s is parsed and written the same', (at, place) => {
    expect(parsePlace(at)).toEqual(place);
    expect(fragmentOf(place)).toBe(at);
  });

  test('a comment on the whole file has no place', () => {
    expect(parsePlace(null)).toBeNull();
  });

  test('an unknown place is left out', () => {
    expect([parsePlace('track=2&t=4'), parsePlace('xywh=pixel:1,2,3,4')]).toEqual([null, null]);
  });

  test('numbers are rounded', () => {
    expect(fragmentOf({ time: { from: 1 / 3 }, box: { x: 10 / 3, y: 66.666, w: 0, h: 0 } })).toBe(
      't=0.333&xywh=percent:3.333,66.666,0,0',
    );
  });
});

describe('boxes', () => {
  test('a drag in any direction is a region', () => {
    expect(boxBetween({ x: 60, y: 50 }, { x: 40, y: 70 })).toEqual({ x: 40, y: 50, w: 20, h: 20 });
  });

  test('a click that trembles is a point', () => {
    expect(boxBetween({ x: 40, y: 50 }, { x: 40.4, y: 50.2 })).toEqual({ x: 40, y: 50, w: 0, h: 0 });
  });

  test('a region ends at the edge of the picture', () => {
    expect(boxBetween({ x: 90, y: 90 }, { x: 100, y: 100 })).toEqual({ x: 90, y: 90, w: 10, h: 10 });
    expect(boxWithin({ x: 99.999, y: -3, w: 33.333, h: 0 })).toEqual({ x: 66.67, y: 0, w: 33.33, h: 0 });
  });

  test('arrows move by one percent, with shift by ten, and stop at the edge', () => {
    const point = { x: 50, y: 95, w: 0, h: 0 };
    expect(movedBox(point, 'ArrowLeft', false)).toEqual({ ...point, x: 49 });
    expect(movedBox(point, 'ArrowDown', true)).toEqual({ ...point, y: 100 });
    expect(movedBox(point, 'Enter', false)).toBeNull();
  });
});
