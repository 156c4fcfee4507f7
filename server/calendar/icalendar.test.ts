import { describe, expect, test } from 'vitest';
import { type Dated, writeCalendar } from './icalendar.ts';

const date = (changes: Partial<Dated> = {}): Dated => ({
  id: 'job_01jd3vsh8xe7rtx1zqbdnzc4v0',
  title: 'Shop front and sign',
  next: { kind: 'round', falls_at: '2026-12-03T14:00:00.000Z', round: 2 },
  sequence: 7,
  changedAt: '2026-11-30T09:00:00.500Z',
  url: 'https://studio.example/jobs/job_01jd3vsh8xe7rtx1zqbdnzc4v0',
  ...changes,
});
const write = (...dates: Dated[]) => writeCalendar({ account: 'Rise Bakery', host: 'studio.example', dates });

/** Content lines by RFC 5545, 3.1: each ends with CRLF, has at most 75 octets, and goes on after a space. */
function linesOf(text: string): string[] {
  expect(text.endsWith('\r\n')).toBe(true);
  const physical = text.slice(0, -2).split('\r\n');
  for (const line of physical) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/(?!\t)\p{Cc}/u);
    expect(line.isWellFormed()).toBe(true);
  }
  return physical.join('\r\n').replaceAll('\r\n ', '').split('\r\n');
}

/** The values of an event, texts read back. */
const valuesOf = (text: string) =>
  Object.fromEntries(
    linesOf(text).map((line) => {
      const [, name = '', value = ''] = /^([A-Z-]+)(?:;[^:]*)?:(.*)$/s.exec(line) ?? [];
      expect(name).not.toBe('');
      return [name, value.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))];
    }),
  );

test('an event has a fixed id, its change and its time in UTC', () => {
  expect(linesOf(write(date())).slice(7)).toEqual([
    'BEGIN:VEVENT',
    'UID:job_01jd3vsh8xe7rtx1zqbdnzc4v0-round@studio.example',
    'DTSTAMP:20261130T090000Z',
    'LAST-MODIFIED:20261130T090000Z',
    'SEQUENCE:7',
    'DTSTART:20261203T140000Z',
    'SUMMARY:Shop front and sign: Round 2 due',
    'URL:https://studio.example/jobs/job_01jd3vsh8xe7rtx1zqbdnzc4v0',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]);
});

test('a calendar without dates is one all the same, and the same dates give the same text', () => {
  expect(linesOf(write()).slice(0, 4)).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Atelier//Next dates//EN',
    'METHOD:PUBLISH',
  ]);
  expect(write(date())).toBe(write(date()));
});

test.each([
  ['first_delivery', 'First delivery due'],
  ['review', 'Review ends'],
  ['question', 'The studio waits for an answer'],
  ['wish', 'Wished for'],
] as const)('%s is “%s”, without a title by the name of the account', (kind, words) => {
  const next = { kind, falls_at: '2026-12-03T14:00:00.000Z', round: 0 };
  const values = valuesOf(write(date({ next, title: null })));
  expect(values).toMatchObject({ SUMMARY: `Job for Rise Bakery: ${words}` });
  expect(values['UID']).toContain(`-${kind}@`);
});

describe('hostile titles stay one value', () => {
  test.each([
    ['a;b,c\\d:e"f'],
    ['x\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:mine'],
    ['x\rATTENDEE:mailto:a@b.example'],
    ['x\u2028URL:javascript:alert(1)'],
    ['Ärger mit größeren Größen: 大きな看板と小さな名刺を三色で作ってください、来週の金曜日までにお願いします'],
    ['👩‍👩‍👧‍👦'.repeat(20)],
    ['é'.repeat(200)],
    ['tab\tand nul\u0000 and \u001b[31m'],
    ['half \ud83d of a pair'],
    ['\\n is no line'],
  ])('%j', (title) => {
    const values = valuesOf(write(date({ title })));
    const shown = title
      .replace(/\r\n?|\u2028/g, '\n')
      .replaceAll('\u0000', '')
      .replaceAll('\u001b', '')
      .toWellFormed();
    expect(values['SUMMARY']?.replaceAll('\t', ' ')).toBe(`${shown}: Round 2 due`.replaceAll('\t', ' '));
    expect(linesOf(write(date({ title }))).filter((line) => line.startsWith('BEGIN:VEVENT'))).toHaveLength(1);
  });
});
