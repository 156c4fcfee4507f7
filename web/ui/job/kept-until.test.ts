import { expect, test } from 'vitest';
import { keptUntil } from './kept-until.ts';

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
