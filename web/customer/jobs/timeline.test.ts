import { expect, test } from 'vitest';
import type { Job, JobEvent } from '../../app/api.ts';
import { timelineOf } from './timeline.ts';

let clock = 0;
const event = (type: JobEvent['type'], actor: JobEvent['actor'] = 'operator') =>
  ({ id: `evt_${++clock}`, type, actor, created_at: `2026-11-22T00:00:${clock}Z` }) as JobEvent;
const ordered = event('job.created', 'customer');
const job = {
  created_at: ordered.created_at,
  created_by: { kind: 'user', id: 'user_ada', name: 'Ada' },
  review_due_at: null,
  reason: null,
  revisions: { used: 0, included: 2 },
  revision_requests: [],
} as unknown as Job;

test('the newest entry comes first', () => {
  const entries = timelineOf(job, [ordered, event('job.accepted')], 'user_ada');
  expect(entries.map(({ title }) => title)).toEqual(['The studio accepted it', 'You ordered the job']);
});

test('a colleague or a program is named as who ordered', () => {
  const byKey = { ...job, created_by: { kind: 'api_key', id: 'key_1', name: 'shop' } } as Job;
  expect(timelineOf(job, [ordered], 'user_bob')[0]?.title).toBe('Ordered by Ada');
  expect(timelineOf(byKey, [ordered], 'user_ada')[0]?.title).toBe('Ordered by the key “shop”');
});

test('files that came with the order or a delivery, and a completion that was approved, are said once', () => {
  const attached = { ...event('job.file_attached', 'customer'), created_at: ordered.created_at };
  const events = [
    ordered,
    attached,
    event('job.file_attached', 'customer'),
    event('job.deliverable_added'),
    event('job.approved', 'customer'),
    event('job.completed'),
  ];
  expect(timelineOf(job, events, 'user_ada').map(({ title }) => title)).toEqual([
    'You approved the work',
    'A file was attached',
    'You ordered the job',
  ]);
  expect(timelineOf(job, [ordered, event('job.completed')], 'user_ada')[0]?.title).toBe('Completed');
});

test('rounds of changes are numbered, with the words of each', () => {
  const asked = { ...job, revision_requests: [{ round: 2, customer_instructions: 'Bluer' }] } as unknown as Job;
  const events = [event('job.revision_requested', 'customer'), event('job.revision_requested', 'customer')];
  expect(timelineOf(asked, events, 'user_ada').map(({ title, detail }) => [title, detail])).toEqual([
    ['You asked for changes, round 2 of 2', '“Bluer”'],
    ['You asked for changes, round 1 of 2', undefined],
  ]);
});

test('only the last delivery waits, and only while it has a time of review', () => {
  const events = [event('job.ready_for_customer_review'), event('job.ready_for_customer_review')];
  const waiting = { ...job, review_due_at: '2026-11-25T00:00:00Z' };
  expect(timelineOf(waiting, events, 'user_ada').map(({ waits }) => waits)).toEqual([true, false]);
  expect(timelineOf(job, events, 'user_ada').map(({ waits }) => waits)).toEqual([false, false]);
});

test('a rejection carries its reason', () => {
  const rejected = { ...job, reason: { code: 'unclear', message: 'Which bakery?' } } as Job;
  expect(timelineOf(rejected, [event('job.rejected')], 'user_ada')[0]).toMatchObject({
    tone: 'bad',
    detail: 'Which bakery?',
  });
});
