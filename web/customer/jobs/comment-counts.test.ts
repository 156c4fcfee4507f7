import { expect, test } from 'vitest';
import type { ReviewComment } from '../../app/api.ts';
import { countComments } from './comment-counts.ts';

const comment = (changes: Partial<ReviewComment>) =>
  ({
    author: { kind: 'customer', name: 'Ada' },
    round: 1,
    file_id: 'file_1',
    sent_at: null,
    done_at: null,
    never_sent: false,
    settled_at: null,
    ...changes,
  }) as ReviewComment;
const sent = '2026-11-22T00:00:00Z';

test('comments of the newest delivery are counted by file, and those that were not sent', () => {
  const counts = countComments([comment({}), comment({ file_id: 'file_2' }), comment({ round: 0, sent_at: sent })], 1);
  expect([counts.unsent, counts.onFile('file_1'), counts.onFile('file_2'), counts.onFile('file_3')]).toEqual([
    2, 1, 1, 0,
  ]);
});

test('comments of a review that ended, and settled ones, are not counted as waiting', () => {
  expect(countComments([comment({ settled_at: sent })], 1).unsent).toBe(0);
  expect(countComments([comment({ never_sent: true })], 1).unsent).toBe(0);
});

test('of the delivery before, what was done is counted', () => {
  const before = [
    comment({ round: 0, sent_at: sent, done_at: sent }),
    comment({ round: 0, sent_at: sent }),
    comment({ round: 0, never_sent: true }),
  ];
  expect(countComments(before, 1).done).toEqual({ done: 1, of: 2 });
  expect(countComments(before, 1).sentFor(1)).toBe(2);
  expect(countComments(before, 2).done).toBeNull();
  expect(countComments([], 0).done).toBeNull();
});

test('a guest with the name of a member is somebody else', () => {
  const guest = comment({ author: { kind: 'guest', name: 'Ada' } });
  expect(countComments([comment({}), guest, comment({}), comment({ round: 0 })], 1).authors).toEqual([
    { name: 'Ada', isGuest: false, count: 2 },
    { name: 'Ada', isGuest: true, count: 1 },
  ]);
});
