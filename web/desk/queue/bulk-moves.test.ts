import { expect, test } from 'vitest';
import { type BulkJob, bulkMoves, counted, jobsFor, rescheduled } from './bulk-moves.ts';

const held = (operator_id: string | null): BulkJob['holder'] => ({
  operator_id,
  worker_key_id: operator_id ? null : 'wkey_1',
  name: 'x',
  since: '2026-01-01T00:00:00.000Z',
  lease_expires_at: null,
});

test('each move is offered for the jobs that allow it', () => {
  const jobs = [
    { id: 'queued', status: 'queued', holder: null },
    { id: 'mine', status: 'accepted', holder: held('me') },
    { id: 'theirs', status: 'running', holder: held('they') },
    { id: 'worker', status: 'running', holder: held(null) },
    { id: 'review', status: 'needs_review', holder: null },
    { id: 'ended', status: 'completed', holder: null },
  ] as const;
  const offered = bulkMoves.map((move) => [move, jobsFor(move, jobs, 'me', () => true).map(({ id }) => id)]);
  expect(Object.fromEntries(offered)).toEqual({
    accept: ['queued'],
    hold: ['mine', 'theirs', 'worker'],
    reschedule: ['queued', 'mine', 'theirs', 'worker', 'review'],
    release: ['mine', 'theirs', 'worker'],
    reject: ['queued', 'mine', 'theirs', 'worker', 'review'],
  });
});

test('a maker is offered no move that the role does not allow', () => {
  const jobs = [
    { id: 'queued', status: 'queued', holder: null },
    { id: 'mine', status: 'accepted', holder: held('me') },
    { id: 'theirs', status: 'running', holder: held('they') },
  ] as const;
  const offered = bulkMoves.map((move) => [
    move,
    jobsFor(move, jobs, 'me', (right) => right === 'work').map(({ id }) => id),
  ]);
  expect(Object.fromEntries(offered)).toEqual({
    accept: ['queued'],
    hold: ['mine'],
    reschedule: [],
    release: ['mine'],
    reject: [],
  });
});

test('a count stands where not all allow it', () => {
  expect([counted('Accept', 3, 3), counted('Accept', 2, 3)]).toEqual(['Accept', 'Accept 2 of 3']);
});

test('a due date moves from itself, or from now if it is over; what is left on a clock that stands still grows', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  const running = { waiting_since: null, remaining_seconds: null };
  expect([
    rescheduled({ ...running, due_at: '2026-06-03T09:00:00Z' }, 2, now),
    rescheduled({ ...running, due_at: '2026-05-01T09:00:00Z' }, 2, now),
    rescheduled({ ...running, due_at: null }, 1, now),
    rescheduled({ due_at: null, waiting_since: '2026-05-31T12:00:00Z', remaining_seconds: 60 }, 1, now),
    rescheduled({ due_at: null, waiting_since: '2026-05-31T12:00:00Z', remaining_seconds: -60 }, 1, now),
  ]).toEqual([
    { due_at: '2026-06-05T09:00:00.000Z' },
    { due_at: '2026-06-03T12:00:00.000Z' },
    { due_at: '2026-06-02T12:00:00.000Z' },
    { remaining_seconds: 86_460 },
    { remaining_seconds: 86_400 },
  ]);
});
