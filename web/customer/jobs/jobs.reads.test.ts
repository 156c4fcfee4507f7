import { expect, test } from 'vitest';
import { jobsReads } from './jobs.reads.ts';

const notCanceled = [
  'ready_for_customer_review',
  'queued',
  'accepted',
  'running',
  'needs_review',
  'completed',
  'rejected',
];

test('without a filter the list has all but canceled jobs, and the chips show the counts of the frame', () => {
  const { all, counts, jobs } = jobsReads({ id: '', search: {} });
  expect(jobs).toEqual({
    operation: 'listJobs',
    input: { query: { limit: 50, include: 'work', status: notCanceled } },
    pages: true,
  });
  expect(counts).toBe(all);
});

test('the list follows the filter of the address, and the counts follow all of it but the status', () => {
  const search = { status: 'under_way', family: 'design', q: 'bakery', from: '2026-11-01', to: '2026-11-22' };
  const { counts, jobs } = jobsReads({ id: '', search });
  const filter = {
    service_family: 'design',
    q: 'bakery',
    created_after: '2026-10-31T23:00:00.000Z',
    created_before: '2026-11-22T23:00:00.000Z',
  };
  expect(counts.input).toEqual({ query: filter });
  expect(jobs.input).toEqual({
    query: { limit: 50, include: 'work', status: ['accepted', 'running', 'needs_review'], ...filter },
  });
});

test('an unknown status and a day that does not exist filter nothing', () => {
  const { jobs } = jobsReads({ id: '', search: { status: 'late', from: '2026-02-99' } });
  expect(jobs.input).toEqual({ query: { limit: 50, include: 'work', status: notCanceled } });
});

test.each([{ q: 'bakery' }, { status: 'questions' }])('canceled jobs are among those of %o', (search) => {
  expect(jobsReads({ id: '', search }).jobs.input.query?.status).toBeUndefined();
});
