import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFault, linesOf, type Place, readPlace, refusePlace, writePlace } from '../../contract/review/place.ts';

test.each([
  ['xywh=percent:40,25,10,12.5', 'xywh=percent:40,25,10,12.5'],
  ['xywh=percent:100,0.10,0,0', 'xywh=percent:100,0.1,0,0'],
  ['xywh=percent:0.1,0.2,99.9,99.8', 'xywh=percent:0.1,0.2,99.9,99.8'],
  ['page=3', 'page=3'],
  ['page=3&xywh=percent:1,2,3,4', 'page=3&xywh=percent:1,2,3,4'],
  ['xywh=percent:1,2,3,4&page=3', 'page=3&xywh=percent:1,2,3,4'],
  ['t=12.50', 't=12.5'],
  ['t=12.5,20.000', 't=12.5,20'],
  ['t=7,7', 't=7'],
  ['t=0&xywh=percent:50,50,0,0', 't=0&xywh=percent:50,50,0,0'],
  ['line=10,12', 'line=10,12'],
  ['line=10,10', 'line=10'],
])('%s is written %s', (text, canonical) => {
  const place = readPlace(text);
  expect(isFault(place) ? place.fault : writePlace(place)).toBe(canonical);
});

test.each([
  '',
  '&',
  'xywh=1,2,3,4',
  'xywh=pixel:1,2,3,4',
  'xywh=percent:1,2,3',
  'xywh=percent:1,2,3,4,5',
  'xywh=percent:-1,2,3,4',
  'xywh=percent:1,2,99.001,4',
  'xywh=percent:100.1,0,0,0',
  'xywh=percent:1e1,2,3,4',
  'xywh=percent:01,2,3,4',
  'xywh=percent:.5,2,3,4',
  'xywh=percent:1.2345,2,3,4',
  'xywh=percent:1,2,3,4&xywh=percent:1,2,3,4',
  'page=0',
  'page=1.5',
  'page=100001',
  'page=1&',
  'page=1&&t=2',
  'page=1=2',
  'page=٣',
  'PAGE=1',
  't=',
  't=-1',
  't=1:30',
  't=npt:1',
  't=20,12.5',
  't=,5',
  't=86400.5',
  'line=12,10',
  'line=1.5',
  'line=10000001',
  'line=1;length=9',
  'char=1,2',
  'toString=1',
  ' page=1',
])('%j is refused', (text) => {
  expect(readPlace(text)).toEqual({ fault: expect.stringMatching(/^must /) });
});

test.each([
  ['xywh=percent:1,2,3,4', 'image/png', null],
  ['t=1', 'image/png', 'has t=, which a file of type image/png does not have'],
  ['page=1', 'application/pdf', null],
  ['page=1&xywh=percent:1,2,3,4', 'application/pdf', null],
  ['xywh=percent:1,2,3,4', 'application/pdf', 'must name the page before xywh=, as in page=2&xywh=percent:10,20,30,40'],
  ['t=1,2&xywh=percent:1,2,3,4', 'video/mp4', null],
  ['t=1,2&xywh=percent:1,2,3,4', 'application/mxf', null],
  ['t=1', 'audio/wav', null],
  ['t=1&xywh=percent:1,2,3,4', 'audio/wav', 'has xywh=, which a file of type audio/wav does not have'],
  ['line=1,2', 'text/markdown', null],
  ['line=1,2', 'application/json', null],
  ['line=1', 'application/zip', 'has line=, which a file of type application/zip does not have'],
])('%s in %s: %s', (text, type, fault) => {
  expect(refusePlace(readPlace(text) as Place, type)).toBe(fault);
});

test('line positions cover the lines after the first and up to the second', () => {
  expect([linesOf({ start: 10, end: 12 }), linesOf({ start: 0, end: 1 }), linesOf({ start: 4 })]).toEqual([
    { first: 11, last: 12 },
    { first: 1, last: 1 },
    { first: 5, last: 5 },
  ]);
});

const thousandths = (max: number) => fc.integer({ min: 0, max: max * 1000 }).map((number) => number / 1000);
const ranges = (number: fc.Arbitrary<number>) =>
  fc
    .tuple(number, fc.option(number))
    .map(([a, b]) => (b === null || a === b ? { start: a } : { start: Math.min(a, b), end: Math.max(a, b) }));
const sides = fc
  .tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 100_000 }))
  .map(([start, length]) => ({ start: start / 1000, length: Math.min(length, 100_000 - start) / 1000 }));
const places: fc.Arbitrary<Place> = fc
  .record(
    {
      page: fc.integer({ min: 1, max: 100_000 }),
      time: ranges(thousandths(86_400)),
      box: fc.tuple(sides, sides).map(([x, y]) => ({ x: x.start, y: y.start, width: x.length, height: y.length })),
      lines: ranges(fc.integer({ min: 0, max: 10_000_000 })),
    },
    { requiredKeys: [] },
  )
  .filter((place) => Object.keys(place).length > 0);

test('every place that can be written is read again as it was, and its text is short', () => {
  fc.assert(
    fc.property(places, (place) => {
      const text = writePlace(place);
      expect(readPlace(text)).toEqual(place);
      expect(text.length).toBeLessThanOrEqual(100);
    }),
  );
});

test('any text is refused, or read and written in a form that is read as the same', () => {
  const pieces = fc.constantFrom('page', 't', 'xywh', 'line', '=', 'percent:', ',', '&', '.', '0', '7', '12.5', '100');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 16 }).map((parts) => parts.join('')),
      ),
      (text) => {
        const place = readPlace(text);
        if (isFault(place)) return;
        expect(readPlace(writePlace(place))).toEqual(place);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('regions are taken in every picture that a page shows, itself or as a drawing, and in no archive', () => {
  const box = { x: 40, y: 25, width: 10, height: 12.5 };
  const refused = (type: string) => refusePlace({ box }, type) !== null;
  const pictures = ['image/png', 'image/svg+xml', 'image/heic', 'image/vnd.adobe.photoshop', 'application/illustrator'];
  expect([...pictures, 'application/postscript'].filter(refused)).toEqual([]);
  expect(['application/zip', 'font/otf', 'text/html'].filter(refused)).toHaveLength(3);
});
