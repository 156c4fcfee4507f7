import { expect, test } from 'vitest';
import { firstWords } from './words.ts';

const holder = { operator_id: 'op_ada', name: 'Ada' } as Parameters<typeof firstWords>[0]['holder'];

test('who lost the race for a job reads who was first and what the job is now', () => {
  expect(firstWords({ status: 'accepted', holder }, 'op_bob')).toBe('Ada was first: the job is accepted.');
  expect(firstWords({ status: 'accepted', holder }, 'op_ada')).toBe('You hold this job already; it is accepted.');
  expect(firstWords({ status: 'canceled', holder: null }, 'op_bob')).toBe(
    'Somebody was first: the job is canceled by the customer.',
  );
});
