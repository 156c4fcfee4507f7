import { expect, test } from 'vitest';
import { type BulkJob, bulkMoves, counted, jobsFor } from './bulk-moves.ts';

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
    release: ['mine', 'theirs', 'worker'],
    reject: ['queued', 'mine', 'theirs', 'worker', 'review'],
  });
});

test('a count stands where not all allow it', () => {
  expect([counted('Accept', 3, 3), counted('Accept', 2, 3)]).toEqual(['Accept', 'Accept 2 of 3']);
});
