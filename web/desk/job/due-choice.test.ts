import { expect, test, vi } from 'vitest';
import { setUtc } from '../../ui/time/day.ts';
import { asField, fromField, quickDates, sayOutside } from './due-choice.ts';

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });

const at = (text: string) => Date.parse(text);
const said = (due: string | null, now: string) =>
  quickDates(due === null ? null : at(due), at(now)).map(({ label, at: date }) => `${label} ${asField(date)}`);

test('a field shows a moment in the displayed zone, and is read back from it', () => {
  expect(asField(at('2026-11-30T23:30:00Z'))).toBe('2026-12-01T00:30');
  expect(fromField('2026-12-01T00:30')).toBe('2026-11-30T23:30:00.000Z');
  setUtc(true);
  expect(asField(at('2026-11-30T23:30:00Z'))).toBe('2026-11-30T23:30');
  expect(fromField('2026-11-30T23:30')).toBe('2026-11-30T23:30:00.000Z');
  setUtc(false);
  expect(fromField('')).toBeNull();
});

test('the choices lie after the due date, at its time of day', () => {
  expect(said('2026-11-26T09:00:00Z', '2026-11-23T08:00:00Z')).toEqual([
    '+1 day 2026-11-27T10:00',
    '+2 days 2026-11-28T10:00',
    'Next Monday 2026-11-30T10:00',
  ]);
});

test('the choices lie after now where the due date is over, and a Monday is followed by the next', () => {
  expect(said('2026-11-20T09:00:00Z', '2026-11-23T08:00:00Z')[2]).toBe('Next Monday 2026-11-30T09:00');
  expect(said(null, '2026-11-23T08:00:00Z')[0]).toBe('+1 day 2026-11-24T09:00');
});

test('the time of day stays where summer time ends', () => {
  expect(said('2026-10-24T10:00:00Z', '2026-10-20T08:00:00Z')[0]).toBe('+1 day 2026-10-25T12:00');
});

test('with hours the choices are working days, and a date outside says when the studio works again', () => {
  const day = ['09:00-17:00'];
  const hours = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: [], sun: [] };
  const business = { time_zone: 'Europe/Berlin', hours, holidays: ['2026-11-30'] };
  const choices = quickDates(null, at('2026-11-28T18:35:00Z'), business);
  expect(choices.map(({ label, at: date }) => `${label} ${asField(date)}`)).toEqual([
    '+1 working day 2026-12-01T17:00',
    '+2 working days 2026-12-02T17:00',
    'Next Tuesday 2026-12-01T17:00',
  ]);
  expect(sayOutside(business, '2026-11-29T18:35:00Z')).toMatch(/^The studio does not work then. It works again .*Dec/);
  expect(sayOutside(business, '2026-12-01T10:00:00Z')).toBeNull();
  expect(sayOutside(null, '2026-11-29T18:35:00Z')).toBeNull();
});
