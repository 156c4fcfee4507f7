import { expect, test } from 'vitest';
import { groupByDue } from './group-by-due.ts';

const now = Date.parse('2026-11-22T12:00:00+01:00');
const row = (id: string, due_at: string | null, more: object = {}) =>
  ({
    row: { id, due_at, overdue: false, waiting_on: null, revisions: { used: 0, included: 1 }, ...more },
    gone: false,
  }) as Parameters<typeof groupByDue>[0][number];
const named = (...rows: ReturnType<typeof row>[]) =>
  groupByDue(rows, now).map(({ name, rows: found }) => [name, found.map(({ row: { id } }) => id)]);

test('what is late comes first, then changes, then today until midnight of the reader, then the rest', () => {
  expect(
    named(
      row('without', null),
      row('tomorrow', '2026-11-22T23:00:00Z'),
      row('tonight', '2026-11-22T22:59:59Z'),
      row('changes', '2026-11-20T00:00:00Z', { revisions: { used: 1, included: 1 } }),
      row('late', '2026-11-22T10:00:00Z', { overdue: true, revisions: { used: 1, included: 1 } }),
    ),
  ).toEqual([
    ['overdue', ['late']],
    ['changes', ['changes']],
    ['today', ['tonight']],
    ['later', ['without', 'tomorrow']],
  ]);
});

test('what a customer has written to comes early, and what waits for an answer comes last', () => {
  const rows = [row('asked', null, { waiting_on: 'customer' }), row('plain', null), row('written', null)];
  expect(groupByDue(rows, now, new Set(['written'])).map(({ name }) => name)).toEqual(['answered', 'later', 'waiting']);
});

test('what is set aside stands in a group of its own, also if it is late', () => {
  const set_aside = { set_aside_until: '2026-11-26T12:00:00Z' };
  expect(named(row('rests', null, { overdue: true, set_aside }), row('plain', null))).toEqual([
    ['later', ['plain']],
    ['aside', ['rests']],
  ]);
});

test('a group without a row is left out', () => {
  expect(named(row('a', '2026-11-22T13:00:00Z'))).toEqual([['today', ['a']]]);
  expect(named()).toEqual([]);
});
