import { expect, test } from 'vitest';
import { patched } from './patched.ts';

const job = (id: string, day: number, more: object = {}) => ({
  id,
  created_at: `2026-11-${10 + day}T00:00:00.000Z`,
  due_at: `2026-11-${20 + day}T00:00:00.000Z` as string | null,
  waiting_since: null as string | null,
  remaining_seconds: null as number | null,
  ...more,
});
const shown = (more: boolean, ...rows: ReturnType<typeof job>[]) => ({ rows, more, read: 1, pageCount: 1 });
const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);

const three = [job('a', 1), job('b', 2), job('c', 3)];

test('a job that left the list is removed, and the others stay as they are', () => {
  const after = patched(shown(false, ...three), ['b', 'x'], [], 'due');
  expect(ids(after)).toEqual(['a', 'c']);
  expect(after.rows[0]).toBe(three[0]);
});

test('a job that came gets its place, and one whose date moved gets another', () => {
  expect(ids(patched(shown(false, ...three), ['n'], [job('n', 2, { id: 'bb' })], 'due'))).toEqual([
    'a',
    'b',
    'bb',
    'c',
  ]);
  expect(ids(patched(shown(false, ...three), ['a'], [job('a', 5)], 'due'))).toEqual(['b', 'c', 'a']);
});

test('with more pages to load, a job behind the last row is left to them', () => {
  expect(ids(patched(shown(true, ...three), ['z'], [job('z', 4)], 'due'))).toEqual(['a', 'b', 'c']);
  expect(ids(patched(shown(true, ...three), ['a'], [job('a', 5)], 'due'))).toEqual(['b', 'c']);
  expect(ids(patched(shown(false, ...three), ['z'], [job('z', 4)], 'due'))).toEqual(['a', 'b', 'c', 'z']);
});

test('the newest first, then by id; by default the oldest first', () => {
  const newest = shown(false, job('c', 3), job('b', 2), job('a', 1));
  expect(ids(patched(newest, ['z'], [job('z', 2)], 'newest'))).toEqual(['c', 'z', 'b', 'a']);
  expect(ids(patched(shown(false, ...three), ['z'], [job('z', 2)], undefined))).toEqual(['a', 'b', 'z', 'c']);
});

test('a job that waits for an answer stays where its due date was', () => {
  const waiting = { due_at: null, waiting_since: '2026-11-21T00:00:00.000Z', remaining_seconds: 36 * 3600 };
  expect(ids(patched(shown(false, ...three), ['w'], [job('w', 0, waiting)], 'due'))).toEqual(['a', 'b', 'w', 'c']);
});
