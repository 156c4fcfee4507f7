import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { plainStudio } from '../../contract/studio/plain-studio.ts';
import { catalogWith } from '../../test/support/catalog.ts';
import { loadCatalog } from './load-catalog.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>';
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

const dirs: string[] = [];
afterEach(() => dirs.splice(0).forEach((dir) => rmSync(dir, { recursive: true })));

function withStudio(...lines: string[]): string {
  const dir = catalogWith([], {
    'studio.yaml': `${lines.join('\n')}\n`,
    'mark.svg': svg,
    'bad.svg': '<svg>\n  <script/>',
  });
  writeFileSync(join(dir, 'mark.png'), png);
  writeFileSync(join(dir, 'fake.png'), svg);
  writeFileSync(join(dir, 'large.png'), Buffer.concat([png, Buffer.alloc(100_000)]));
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
      'motto: Ours',
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
    'studio.yaml:8:1 motto: is not a known field',
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

test('without studio.yaml the studio is Atelier, with nothing of its own', () => {
  const dir = catalogWith([]);
  dirs.push(dir);
  expect(loadCatalog(dir).studio).toEqual(plainStudio);
});

test('a studio with a face: its pictures get addresses that change with them', () => {
  const { studio, pictures } = loadCatalog(
    withStudio(
      'name: Müller & Söhne',
      'tagline: Drawings that hold.',
      'mark: mark.svg',
      'mark_dark: mark.png',
      'accent: "#6B2A6B"',
      'support: { email: help@studio.example, url: https://studio.example/help }',
      'links: { terms: https://studio.example/terms, imprint: https://studio.example/imprint }',
      'mail_footer: Müller & Söhne GmbH, Bahnhofstraße 1, Zürich',
    ),
  );
  expect(studio).toEqual({
    name: 'Müller & Söhne',
    tagline: 'Drawings that hold.',
    mark: expect.stringMatching(/^\/catalog\/pictures\/[0-9a-f]{12}\.svg$/),
    mark_dark: expect.stringMatching(/^\/catalog\/pictures\/[0-9a-f]{12}\.png$/),
    icon: null,
    accent: '#6b2a6b',
    support: { email: 'help@studio.example', url: 'https://studio.example/help' },
    links: { terms: 'https://studio.example/terms', privacy: null, imprint: 'https://studio.example/imprint' },
    mail_footer: 'Müller & Söhne GmbH, Bahnhofstraße 1, Zürich',
  });
  expect(pictures.get(studio.mark ?? '')).toMatchObject({ contentType: 'image/svg+xml' });
  expect(pictures.get(studio.mark_dark ?? '')).toMatchObject({ contentType: 'image/png', bytes: png });
});

test('mistakes of a face are named with file, line and column, in the picture too', () => {
  expect(
    problemsOf(
      `name: ${'n'.repeat(61)}`,
      'tagline: "two\\nlines"',
      'mark: bad.svg',
      'mark_dark: large.png',
      'icon: ../mark.svg',
      'accent: "#ff7a00"',
      'support: { email: help, url: http://studio.example }',
      'links: { terms: "https://[", privacy: javascript:alert(1), cookies: https://studio.example }',
      `mail_footer: ${'f'.repeat(301)}`,
    ),
  ).toEqual([
    'studio.yaml:1:1 name: must not have more than 60 characters',
    'studio.yaml:2:1 tagline: must be one line of text without marks that do not belong there',
    'studio.yaml:3:1 mark: bad.svg:1:1 needs a viewBox',
    'studio.yaml:4:1 mark_dark: large.png must have at most 100 kB',
    'studio.yaml:5:1 icon: must be the name of a .svg or .png file beside this one',
    'studio.yaml:6:1 accent: has too little contrast: 2.61 to 1 under white, 2.50 to 1 on the page, and text needs 4.5 to 1. The nearest color that passes is #ba5700',
    'studio.yaml:7:12 support.email: must be an e-mail address',
    'studio.yaml:7:25 support.url: must be an address that begins with https://',
    'studio.yaml:8:10 links.terms: is no address that a browser can open',
    'studio.yaml:8:30 links.privacy: must be an address that begins with https://',
    'studio.yaml:8:60 links.cookies: is not a known field',
    'studio.yaml:9:1 mail_footer: must not have more than 300 characters',
  ]);
});

test.each([
  ['a picture that is missing', 'mark: none.svg', 'none.svg is not beside this file'],
  ['an SVG that is called a PNG', 'icon: fake.png', 'fake.png is no PNG'],
  ['only a mark for dark ground', 'mark_dark: mark.svg', 'needs a mark for light ground, too'],
  ['a color without quotes, which is a comment', 'accent: #6b2a6b', 'begins a comment with #: put it in quotes'],
])('is refused: %s', (_, text, problem) => {
  expect(problemsOf(text).join()).toContain(problem);
});
