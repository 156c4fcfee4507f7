import { expect, test } from 'vitest';
import type { DeskJob, JobEvent } from '../../app/api.ts';
import { holdEntry, timelineOf } from './timeline.ts';

const job = { reason: { code: 'unclear', message: 'Which bakery?' } } as DeskJob;
const event = (id: string, type: JobEvent['type'], actor: JobEvent['actor']) =>
  ({ id, type, actor, created_at: '2026-11-22T00:00:00Z' }) as JobEvent;

test('the history of a job names who did what, newest first, and numbers the rounds', () => {
  const events = [
    event('1', 'job.created', 'customer'),
    event('2', 'job.accepted', 'operator'),
    event('3', 'job.submitted', 'worker'),
    event('4', 'job.deliverable_added', 'operator'),
    event('5', 'job.revision_requested', 'customer'),
    event('6', 'job.revision_requested', 'customer'),
    event('7', 'job.rejected', 'operator'),
  ];
  const entries = timelineOf(
    job,
    events,
    new Map([
      ['2', 'Ada'],
      ['7', 'Ada'],
    ]),
  );
  expect(entries.map(({ title, detail, tone }) => [title, detail, tone])).toEqual([
    ['Rejected', 'Ada: Which bakery?', 'bad'],
    ['The customer asked for changes, round 2', undefined, 'you'],
    ['The customer asked for changes, round 1', undefined, 'you'],
    ['Submitted', 'a worker', undefined],
    ['Accepted', 'Ada', undefined],
    ['Ordered', undefined, 'you'],
  ]);
});

test('a job that changes hands says to whom', () => {
  const nameOf = (id: unknown) => (id === 'user_bob' ? 'Bob' : undefined);
  const entry = (holder: string) =>
    holdEntry(
      {
        id: 'aud_1',
        created_by: { kind: 'user', id: 'user_ada', name: 'Ada' },
        details: { holder },
        created_at: '2026-11-22T00:00:00Z',
      },
      nameOf,
    );
  expect(entry('user_ada')).toMatchObject({ title: 'Taken over', detail: 'Ada' });
  expect(entry('user_bob').title).toBe('Handed over to Bob');
  expect(entry('user_who_left').title).toBe('Handed over to a colleague');
});
