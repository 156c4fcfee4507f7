import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BusinessHours,
  hoursAfter,
  isBusinessTime,
  readSpan,
  weekdays,
  workingDaysAfter,
  workingWeekAfter,
} from '../../contract/studio/business-time.ts';

const quarter = 900_000;
const hour = 3_600_000;
const week = (spans: string[], weekend: string[] = []): BusinessHours['hours'] => ({
  mon: spans,
  tue: spans,
  wed: spans,
  thu: spans,
  fri: spans,
  sat: weekend,
  sun: weekend,
});
const berlin = (spans: string[], holidays: string[] = []): BusinessHours => ({
  time_zone: 'Europe/Berlin',
  hours: week(spans),
  holidays,
});
const after = (business: BusinessHours | null, from: string, hours: number) =>
  new Date(hoursAfter(business, Date.parse(from), hours)).toISOString();

describe('hours of a studio', () => {
  const office = berlin(['09:00-12:30', '13:30-18:00'], ['2026-12-25']);

  test('without business hours all hours count', () => {
    expect(after(null, '2026-11-27T16:00:00Z', 48)).toBe('2026-11-29T16:00:00.000Z');
  });

  test('nights, breaks and weekends do not count', () => {
    expect(after(office, '2026-11-23T08:00:00Z', 3)).toBe('2026-11-23T11:00:00.000Z');
    expect(after(office, '2026-11-23T08:00:00Z', 4)).toBe('2026-11-23T13:00:00.000Z');
    expect(after(office, '2026-11-27T16:00:00Z', 2)).toBe('2026-11-30T09:00:00.000Z');
    expect(after(office, '2026-11-28T03:00:00Z', 8)).toBe('2026-11-30T17:00:00.000Z');
  });

  test('holidays do not count', () => {
    expect(after(office, '2026-12-24T16:00:00Z', 2)).toBe('2026-12-28T09:00:00.000Z');
  });

  test('what can be done by the end of a day is due then, not the next morning', () => {
    expect(after(office, '2026-11-23T16:00:00Z', 1)).toBe('2026-11-23T17:00:00.000Z');
  });

  test('opening times follow summer time', () => {
    const day = berlin(['09:00-17:00']);
    expect(after(day, '2026-03-27T08:00:00Z', 9)).toBe('2026-03-30T08:00:00.000Z');
    expect(after(day, '2026-10-23T07:00:00Z', 9)).toBe('2026-10-26T09:00:00.000Z');
  });

  test('a night in which the clocks change is an hour shorter or longer', () => {
    const always = { ...berlin([]), hours: week(['00:00-24:00'], ['00:00-24:00']) };
    expect(after(always, '2026-03-28T23:00:00Z', 24)).toBe('2026-03-29T23:00:00.000Z');
    const nights = { ...berlin([]), hours: week(['01:00-04:00'], ['01:00-04:00']) };
    expect(after(nights, '2026-03-28T20:00:00Z', 3)).toBe('2026-03-30T00:00:00.000Z');
    expect(after(nights, '2026-10-24T20:00:00Z', 4)).toBe('2026-10-25T03:00:00.000Z');
  });

  test('a span that the clocks skip is no time, and one that ends in the skipped hour ends there', () => {
    const skipped = { ...berlin([]), hours: week(['12:00-13:00'], ['02:15-02:45', '12:00-13:00']) };
    expect(after(skipped, '2026-03-28T23:00:00Z', 1)).toBe('2026-03-29T11:00:00.000Z');
    const ends = { ...berlin([]), hours: week(['12:00-13:00'], ['01:00-02:30', '12:00-13:00']) };
    expect(after(ends, '2026-03-28T23:00:00Z', 1)).toBe('2026-03-29T01:00:00.000Z');
  });
});

describe('for any hours, zone and moment', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Santiago',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  ];
  const two = (part: number) => String(part).padStart(2, '0');
  const clock = (quarters: number) => `${two(Math.floor(quarters / 4))}:${two((quarters % 4) * 15)}`;
  // Not between 22:00 and 04:00, where the clocks change: there a time of day can come twice.
  const spans = fc.oneof(
    fc.constant<string[]>(['00:00-24:00']),
    fc
      .tuple(fc.integer({ min: 16, max: 40 }), fc.integer({ min: 16, max: 30 }), fc.integer({ min: 0, max: 9 }))
      .map(([opens, length, pause]) =>
        pause === 0
          ? [`${clock(opens)}-${clock(opens + length)}`]
          : [`${clock(opens)}-${clock(opens + 8)}`, `${clock(opens + 8 + pause)}-${clock(opens + 8 + length)}`],
      ),
  );
  const maybe = fc.oneof({ weight: 3, arbitrary: spans }, { weight: 1, arbitrary: fc.constant<string[]>([]) });
  const start = Date.parse('2026-03-01T00:00:00Z');
  const business: fc.Arbitrary<BusinessHours> = fc.record({
    time_zone: fc.constantFrom(...zones),
    hours: fc.record({ mon: spans, tue: maybe, wed: maybe, thu: maybe, fri: maybe, sat: maybe, sun: maybe }),
    holidays: fc.uniqueArray(
      fc.integer({ min: 0, max: 300 }).map((days) => new Date(start + days * 24 * hour).toISOString().slice(0, 10)),
      { maxLength: 20 },
    ),
  });
  const moment = fc.integer({ min: 0, max: 300 * 96 }).map((quarters) => start + quarters * quarter);
  const hours = fc.integer({ min: 1, max: 12 });

  const formats = new Map(
    zones.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
    ]),
  );

  /** Whether the studio works in the quarter of an hour that begins then, by what the clocks show. */
  function isOpen({ time_zone, hours: byDay, holidays }: BusinessHours, at: number): boolean {
    const [date = '', time = ''] = formats.get(time_zone)!.format(at).split(' ');
    if (holidays.includes(date)) return false;
    const weekday = weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!;
    const shown = readSpan(`${time.slice(0, 5)}-24:00`).opens;
    return byDay[weekday].map(readSpan).some(({ opens, closes }) => opens <= shown && shown < closes);
  }

  test('the result lies in business hours, and exactly so many of them have passed', () => {
    fc.assert(
      fc.property(business, moment, hours, (studio, from, count) => {
        const due = hoursAfter(studio, from, count);
        expect(isOpen(studio, due - quarter)).toBe(true);
        let open = 0;
        for (let at = from; at < due; at += quarter) if (isOpen(studio, at)) open++;
        expect(open * quarter).toBe(count * hour);
      }),
      { numRuns: 60 },
    );
  });

  test('a later moment or more hours are never due earlier, and hours can be counted in parts', () => {
    fc.assert(
      fc.property(business, moment, fc.nat(10_000_000), hours, hours, (studio, from, later, count, more) => {
        const due = hoursAfter(studio, from, count);
        expect(hoursAfter(studio, from + later, count)).toBeGreaterThanOrEqual(due);
        expect(hoursAfter(studio, due, more)).toBe(hoursAfter(studio, from, count + more));
      }),
      { numRuns: 300 },
    );
  });
});

describe('days of a studio', () => {
  const office = berlin(['09:00-12:30', '13:30-17:00'], ['2026-12-25', '2026-11-30']);
  const said = (at: number) => new Date(at).toISOString();
  const later = (from: string, days: number) => said(workingDaysAfter(office, Date.parse(from), days));
  const week = (from: string) => said(workingWeekAfter(office, Date.parse(from)));

  test('working days leave out weekends and holidays, at the same time of day', () => {
    expect(later('2026-11-26T10:00:00Z', 1)).toBe('2026-11-27T10:00:00.000Z');
    expect(later('2026-11-27T10:00:00Z', 1)).toBe('2026-12-01T10:00:00.000Z');
    expect(later('2026-12-24T10:00:00Z', 2)).toBe('2026-12-29T10:00:00.000Z');
  });

  test('a time outside of the hours becomes the nearest earlier one, or the first of the day', () => {
    expect(later('2026-11-28T18:35:00Z', 1)).toBe('2026-12-01T16:00:00.000Z');
    expect(later('2026-11-26T12:00:00Z', 1)).toBe('2026-11-27T11:30:00.000Z');
    expect(later('2026-11-26T03:00:00Z', 1)).toBe('2026-11-27T08:00:00.000Z');
  });

  test('the next week begins on its first working day', () => {
    expect(week('2026-11-18T10:00:00Z')).toBe('2026-11-23T10:00:00.000Z');
    expect(week('2026-11-29T18:35:00Z')).toBe('2026-12-01T16:00:00.000Z');
  });

  test('the time of day stays where summer time ends', () => {
    const all = { ...office, hours: { ...office.hours, sat: ['09:00-17:00'], sun: ['09:00-17:00'] } };
    expect(said(workingDaysAfter(all, Date.parse('2026-10-24T10:00:00Z'), 1))).toBe('2026-10-25T11:00:00.000Z');
  });

  test('the studio works until the end of each span', () => {
    const works = (at: string) => isBusinessTime(office, Date.parse(at));
    expect(['2026-11-27T08:00:00Z', '2026-11-27T11:30:00Z', '2026-11-27T16:00:00Z'].map(works)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['2026-11-27T12:00:00Z', '2026-11-27T16:00:01Z', '2026-11-28T10:00:00Z'].map(works)).toEqual([
      false,
      false,
      false,
    ]);
    const night = { ...office, hours: { ...office.hours, fri: ['20:00-24:00'] } };
    expect(isBusinessTime(night, Date.parse('2026-11-27T23:00:00Z'))).toBe(true);
  });
});
