import { rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { catalogWith } from '../../test/support/catalog.ts';
import { loadCatalog } from './load-catalog.ts';

const dirs: string[] = [];
afterEach(() => dirs.splice(0).forEach((dir) => rmSync(dir, { recursive: true })));

function withStudio(...lines: string[]): string {
  const dir = catalogWith([], { 'studio.yaml': `${lines.join('\n')}\n` });
  dirs.push(dir);
  return dir;
}
const hoursOf = (...lines: string[]) => loadCatalog(withStudio(...lines)).businessHours;
function problemsOf(...lines: string[]): string[] {
  const dir = withStudio(...lines);
  try {
    loadCatalog(dir);
  } catch (error) {
    return (error as Error).message.replaceAll(`${dir}/`, '').split('\n').slice(1);
  }
  return [];
}

test('the shipped catalog has no studio.yaml: all hours count', () => {
  const dir = catalogWith([]);
  dirs.push(dir);
  const { businessHours, view } = loadCatalog(dir);
  expect([businessHours, view.business_hours]).toEqual([null, null]);
});

test('hours, zone and holidays are part of the public catalog; a day that is left out is off', () => {
  const hours = hoursOf(
    'time_zone: Europe/Berlin',
    'hours:',
    '  mon: ["09:00-12:30", "13:30-18:00"]',
    '  fri: [10:00-24:00]',
    'holidays: [2026-12-25]',
  );
  expect(hours).toEqual({
    time_zone: 'Europe/Berlin',
    hours: { mon: ['09:00-12:30', '13:30-18:00'], tue: [], wed: [], thu: [], fri: ['10:00-24:00'], sat: [], sun: [] },
    holidays: ['2026-12-25'],
  });
});

test('with holidays alone all hours of the other days count, in UTC', () => {
  expect(hoursOf('holidays: [2026-12-25]')).toMatchObject({ time_zone: 'UTC', hours: { sun: ['00:00-24:00'] } });
  expect(hoursOf('time_zone: Europe/Berlin')).toBeNull();
});

test('mistakes are named with file, line and column, all at once', () => {
  expect(
    problemsOf(
      'time_zone: Europe/Berlinn',
      'hours:',
      '  mon: ["9-17"]',
      '  tue: ["12:00-09:00"]',
      '  wed: ["09:00-12:00", "11:00-18:00"]',
      '  someday: ["09:00-18:00"]',
      'holidays: [2026-02-30, 2026-12-25, 2026-12-25, Christmas]',
      'name: Ours',
    ),
  ).toEqual([
    'studio.yaml:1:1 time_zone: "Europe/Berlinn" is no time zone such as Europe/Berlin',
    'studio.yaml:3:9 hours.mon[0]: must be a span of a day such as 09:00-12:30, at most until 24:00',
    'studio.yaml:4:9 hours.tue[0]: must end after it begins, on the same day',
    'studio.yaml:5:24 hours.wed[1]: must begin after the span before it has ended',
    'studio.yaml:6:3 hours.someday: is not a known field',
    'studio.yaml:7:12 holidays[0]: "2026-02-30" is no day of the calendar',
    'studio.yaml:7:36 holidays[2]: "2026-12-25" stands here twice',
    'studio.yaml:7:48 holidays[3]: must be a day such as 2026-12-25',
    'studio.yaml:7:48 holidays[3]: "Christmas" is no day of the calendar',
    'studio.yaml:8:1 name: is not a known field',
  ]);
});

test.each([
  ['an offset, which knows no summer time', 'time_zone: "+01:00"'],
  ['hours of another shape', 'hours: always'],
  ['a text', 'open'],
  ['no hours at all', 'hours: {}'],
])('is refused: %s', (_, text) => {
  expect(problemsOf(text)).not.toEqual([]);
});

test('a week must have enough hours for the longest option in a year', () => {
  const words = 'an option takes';
  expect(problemsOf('hours: { mon: ["09:00-09:30"] }').join()).toContain(words);
  expect(problemsOf('hours: { mon: ["09:00-17:00"] }').join()).not.toContain(words);
});
