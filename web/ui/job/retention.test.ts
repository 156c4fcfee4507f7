import { expect, test } from 'vitest';
import { keptUntil, sayDaysKept, sayRetention } from './retention.ts';

const file = { status: 'uploaded', retention_days: 90, uploaded_at: '2026-11-01T00:00:00.000Z' };
const job = { status: 'completed' as const, status_changed_at: '2026-11-10T00:00:00.000Z', files: [file] };

test('retention counts from the end of the job, or from a later upload, of the files that are left', () => {
  const of = (changes: object) => keptUntil({ ...job, ...changes });
  expect(of({})).toBe('2027-02-08T00:00:00.000Z');
  const later = { ...file, uploaded_at: '2026-11-20T00:00:00.000Z', retention_days: 1 };
  expect(of({ files: [file, later] })).toBe('2026-11-21T00:00:00.000Z');
  expect(of({ files: [{ ...file, status: 'deleted' }] })).toBeNull();
  expect(of({ status: 'ready_for_customer_review' })).toBeNull();
});

const now = Date.parse('2026-11-30T12:00:00Z');
const say = (kept_until: string | null, gone_at: string | null = null) => sayRetention({ kept_until, gone_at }, now);

test('within a week files leave, later they are kept, and once they are gone it says since when', () => {
  expect(say('2027-02-22T12:00:00Z')).toEqual({ words: expect.stringMatching(/^Kept until .*22/), isSoon: false });
  expect(say('2026-12-07T12:00:00Z')).toEqual({ words: expect.stringMatching(/^Leaves on .*7/), isSoon: true });
  expect(say('2026-12-07T12:00:01Z')?.isSoon).toBe(false);
  expect(say(null, '2026-11-03T12:00:00Z')?.words).toMatch(/^No longer kept since .*3/);
  expect(say(null)).toBeNull();
});

test('what is said before a job ends counts the file that leaves first, of those that are left', () => {
  const files = [{ ...file, retention_days: 30 }, file, { ...file, status: 'deleted', retention_days: 7 }];
  expect(sayDaysKept({ files })).toBe('The files stay here for 30 days.');
  expect(sayDaysKept({ files: [] })).toBe('');
});
