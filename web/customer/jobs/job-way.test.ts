import { describe, expect, test } from 'vitest';
import type { Job, JobEvent, ServiceOption } from '../../app/api.ts';
import { dueOf, wayOf, wentBack } from './job-way.ts';

const option = { quality_review: true, auto_approval_hours: 120 } as ServiceOption;
const events = (...types: JobEvent['type'][]) =>
  types.map((type, index) => ({
    type,
    seq: index + 1,
    created_at: `2026-11-22T0${index}:00:00Z`,
    job: { previous_status: type === 'job.canceled' ? 'queued' : null },
  })) as JobEvent[];
const jobIn = (status: Job['status'], changes: Partial<Job> = {}) =>
  ({
    status,
    status_changed_at: '2026-11-22T09:00:00Z',
    deliveries: [],
    waiting_since: null,
    due_round: 0,
    revisions: { used: 0, included: 2 },
    ...changes,
  }) as unknown as Job;
const states = (job: Job, happened: JobEvent[], service: ServiceOption | undefined = option) =>
  wayOf(job, happened, service).map(({ label, state }) => `${label} ${state}`);

describe('the way of a job', () => {
  test.each([
    ['queued', ['job.created'], ['Queued half', 'In work next', 'Check next', 'Yours next']],
    ['accepted', ['job.created', 'job.accepted'], ['Queued done', 'In work next', 'Check next', 'Yours next']],
    ['running', ['job.created', 'job.started'], ['Queued done', 'In work now', 'Check next', 'Yours next']],
    [
      'needs_review',
      ['job.created', 'job.started', 'job.submitted'],
      ['Queued done', 'In work done', 'Check now', 'Yours next'],
    ],
  ] as const)('%s', (status, types, expected) => {
    expect(states(jobIn(status), events(...types))).toEqual(expected);
  });

  test('a service without a check has three steps', () => {
    const steps = states(jobIn('running'), events('job.created', 'job.started'), { ...option, quality_review: false });
    expect(steps).toEqual(['Queued done', 'In work now', 'Yours next']);
  });

  test('a rejection or a cancellation ends it where it was, and says whether the job is counted', () => {
    expect(wayOf(jobIn('rejected'), events('job.created', 'job.started', 'job.rejected'), option)).toMatchObject([
      { label: 'Queued', state: 'done' },
      { label: 'In work', state: 'done' },
      { label: 'Rejected', state: 'ended', ahead: 'went back to your quota' },
    ]);
    expect(states(jobIn('canceled'), events('job.created', 'job.canceled'))).toEqual(['Queued done', 'Canceled ended']);
  });

  test('a step that has begun says since when, one ahead what will be', () => {
    const [queued, work, , yours] = wayOf(jobIn('running'), events('job.created', 'job.started'), option);
    expect([queued?.at, work?.at, yours?.at]).toEqual(['2026-11-22T00:00:00Z', '2026-11-22T01:00:00Z', null]);
    expect(yours?.ahead).toBe('to review, 5 days');
  });
});

test('a rejection after a delivery, and a cancellation after work was submitted, stay counted', () => {
  expect(wentBack(jobIn('rejected'), events('job.created', 'job.ready_for_customer_review'))).toBe(false);
  expect(wentBack(jobIn('canceled'), events('job.created', 'job.submitted', 'job.canceled'))).toBe(false);
  expect(wentBack(jobIn('canceled'), events('job.created', 'job.canceled'))).toBe(true);
});

describe('the due date', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');

  test('as planned, and how late it is', () => {
    expect(dueOf(jobIn('running', { due_at: '2026-11-22T14:00:00Z' }), now)).toEqual({
      at: now + 7_200_000,
      late: 0,
      ifAnswered: false,
    });
    expect(dueOf(jobIn('running', { due_at: '2026-11-22T10:00:00Z' }), now)?.late).toBe(7_200_000);
  });

  test('of a job that waits: what is left from now on', () => {
    const waiting = jobIn('running', { due_at: null, waiting_since: '2026-11-22T10:00:00Z', remaining_seconds: 3_600 });
    expect(dueOf(waiting, now)).toEqual({ at: now + 3_600_000, late: 0, ifAnswered: true });
    expect(dueOf({ ...waiting, remaining_seconds: -60 }, now)?.late).toBe(60_000);
    expect(dueOf({ ...waiting, remaining_seconds: null }, now)).toBeNull();
  });

  test('of a round of changes only if it is for that round', () => {
    const changes = { due_at: '2026-11-22T14:00:00Z', revisions: { used: 1, included: 2 } };
    expect(dueOf(jobIn('accepted', changes), now)).toBeNull();
    expect(dueOf(jobIn('accepted', { ...changes, due_round: 1 }), now)?.at).toBe(now + 7_200_000);
  });

  test('none without a date, after a delivery, or after the end', () => {
    expect(dueOf(jobIn('running', { due_at: null }), now)).toBeNull();
    const due_at = '2026-11-22T14:00:00Z';
    expect(dueOf(jobIn('ready_for_customer_review', { due_at }), now)).toBeNull();
    expect(dueOf(jobIn('canceled', { due_at }), now)).toBeNull();
  });
});
