import { expect, test } from 'vitest';
import { anchoredMonth } from './anchored-month.ts';

const month = (anchor: string, at: string) => {
  const { start, end } = anchoredMonth(new Date(anchor), new Date(at));
  return [start.toISOString(), end.toISOString()];
};

test('31 January: 28 February, then 31 March', () => {
  const anchor = '2027-01-31T09:30:00.000Z';
  expect(month(anchor, anchor)).toEqual([anchor, '2027-02-28T09:30:00.000Z']);
  expect(month(anchor, '2027-02-28T09:29:59.999Z')[0]).toBe(anchor);
  expect(month(anchor, '2027-02-28T09:30:00.000Z')).toEqual(['2027-02-28T09:30:00.000Z', '2027-03-31T09:30:00.000Z']);
  expect(month(anchor, '2027-03-31T09:30:00.000Z')).toEqual(['2027-03-31T09:30:00.000Z', '2027-04-30T09:30:00.000Z']);
});

test('31 January of a leap year: 29 February', () => {
  expect(month('2028-01-31T00:00:00.000Z', '2028-02-10T00:00:00.000Z')[1]).toBe('2028-02-29T00:00:00.000Z');
});

test('over the turn of the year', () => {
  expect(month('2026-11-20T23:59:59.000Z', '2027-01-20T00:00:00.000Z')).toEqual([
    '2026-12-20T23:59:59.000Z',
    '2027-01-20T23:59:59.000Z',
  ]);
});

test('a time before the anchor falls in the first month', () => {
  expect(month('2026-11-20T00:00:00.000Z', '2026-09-01T00:00:00.000Z')[0]).toBe('2026-11-20T00:00:00.000Z');
});

test('every time falls in exactly one month, and months follow each other', () => {
  const anchor = new Date('2024-01-31T12:00:00.000Z');
  let before = anchoredMonth(anchor, anchor);
  for (let day = 1; day < 1500; day += 1) {
    const at = new Date(anchor.getTime() + day * 86_400_000);
    const current = anchoredMonth(anchor, at);
    expect(current.start <= at && at < current.end).toBe(true);
    expect([before.start, before.end]).toContainEqual(current.start);
    before = current;
  }
});
