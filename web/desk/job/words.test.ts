import { expect, test } from 'vitest';
import type { JobEvent } from '../../app/api.ts';
import { firstWords, sayInterruption } from './words.ts';

const holder = { operator_id: 'op_ada', name: 'Ada' } as Parameters<typeof firstWords>[0]['holder'];

test('who lost the race for a job reads who was first and what the job is now', () => {
  expect(firstWords({ status: 'accepted', holder }, 'op_bob')).toBe('Ada was first: the job is accepted.');
  expect(firstWords({ status: 'accepted', holder }, 'op_ada')).toBe('You hold this job already; it is accepted.');
  expect(firstWords({ status: 'canceled', holder: null }, 'op_bob')).toBe(
    'Somebody was first: the job is canceled by the customer.',
  );
});

test('who writes on a job that somebody ends or takes over reads who did it', () => {
  const canceled = [{ type: 'job.canceled', created_by: { name: 'Ada' } }] as JobEvent[];
  expect(sayInterruption({ status: 'canceled' }, canceled)).toBe('Ada canceled this job.');
  expect(sayInterruption({ status: 'canceled' }, [])).toBe('The customer canceled this job.');
  expect(sayInterruption({ status: 'running' }, [], 'Taken over by Ben')).toBe('Taken over by Ben.');
  expect(sayInterruption({ status: 'ready_for_customer_review' }, [])).toBe('This job is now with the customer.');
});
