import { expect, test } from 'vitest';
import { firstUnread, foldedCount, initials, type StoryEntry, type StoryMessage } from './story.ts';

const event = (id: string): StoryEntry => ({ kind: 'event', id, at: '2026-11-22T10:00:00Z', title: 'Work started' });
const message = (id: string, you = false, kind: 'message' | 'note' = 'message'): StoryMessage => ({
  kind,
  id,
  at: '2026-11-22T10:00:00Z',
  author: { name: you ? 'Ada Lovelace' : 'The studio', face: you ? 'person' : 'studio' },
  you,
  text: 'Good morning',
  files: [],
  takeBackUntil: null,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => event(`evt_${index}`));

test('the last eight entries are shown, and a fold hides at least three', () => {
  expect([3, 8, 10, 11, 20].map((count) => foldedCount(many(count), null))).toEqual([0, 0, 0, 3, 12]);
});

test('everything new is shown, with two entries before it', () => {
  expect(foldedCount(many(20), 'evt_8')).toBe(6);
  expect(foldedCount(many(20), 'evt_19')).toBe(12);
  expect(foldedCount(many(20), 'evt_1')).toBe(0);
});

test('new is the first message of somebody else after the last one read', () => {
  const entries = [message('m1'), event('e1'), message('m2', true), message('n1', false, 'note'), message('m3')];
  expect(firstUnread(entries, 'm1')).toBe('m3');
  expect(firstUnread(entries, 'm3')).toBeNull();
  expect(firstUnread([...entries, event('e2')], 'm3')).toBeNull();
});

test('everything of others is new to somebody who has read nothing', () => {
  expect(firstUnread([event('e1'), message('m1', true), message('m2')], null)).toBe('m2');
});

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada', 'A'],
  ['José de la Cruz', 'JC'],
  ['  𝔘na  😀x ', '𝔘😀'],
  ['', ''],
])('the initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters);
});
