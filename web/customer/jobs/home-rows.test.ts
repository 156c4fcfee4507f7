import { expect, test } from 'vitest';
import type { JobListItem } from '../../app/api.ts';
import { detailOf, inOrder } from './home-rows.ts';

const job = (change: Partial<JobListItem>) =>
  ({
    id: 'job_a',
    status: 'running',
    waiting_on: null,
    next_date: null,
    revisions: { used: 0, included: 2 },
    ...change,
  }) as JobListItem;
const due = (id: string, day: string | null, change: Partial<JobListItem> = {}) =>
  job({
    id,
    next_date: day === null ? null : { kind: 'first_delivery', falls_at: `${day}T12:00:00Z`, round: 0 },
    ...change,
  });

test('questions come first, then the next date; what has none is last', () => {
  const rows = [
    due('late', '2026-12-04'),
    due('none', null),
    due('soon', '2026-12-01'),
    due('asked', '2026-12-09', { waiting_on: 'customer' }),
  ];
  expect(inOrder(rows).map(({ id }) => id)).toEqual(['asked', 'soon', 'late', 'none']);
});

test.each<[Partial<JobListItem>, string | null]>([
  [{ open_question: 'One colour or two?', status: 'running' }, '“One colour or two?”'],
  [
    { status: 'ready_for_customer_review', revisions: { used: 1, included: 2 }, changes: { asked: 7, done: 6 } },
    'delivery 2, 6 of 7 changes done',
  ],
  [{ status: 'ready_for_customer_review' }, 'delivery 1'],
  [{ revisions: { used: 2, included: 3 } }, 'changes asked for, round 2'],
  [{ wanted_by: '2026-12-04T12:00:00Z' }, 'wished for Fri 4 Dec'],
  [{}, null],
])('%j says “%s”', (change, words) => expect(detailOf(job(change), () => 'Fri 4 Dec')).toBe(words));
