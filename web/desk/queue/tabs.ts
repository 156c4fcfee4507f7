import type { ListQueueData, QueueCounts } from '../../app/api.ts';

export type QueueFilter = 'tab' | 'family' | 'holder' | 'standing' | 'q' | 'job' | 'peek';

export type Tab = {
  id: string;
  label: string;
  count?: keyof Omit<QueueCounts, 'next_due_at'>;
  query: NonNullable<ListQueueData['query']>;
  /** Grouped by due day. */
  byDue?: boolean;
  empty: string;
};

/** For a search without results in its tab. Includes ended jobs. */
export const everywhere: Tab = { id: 'all', label: 'All jobs', query: { sort: 'newest' }, empty: 'No job matches.' };

export const tabs: [Tab, ...Tab[]] = [
  {
    id: 'todo',
    label: 'To do',
    count: 'to_do',
    query: { status: ['queued', 'accepted', 'running'], parked: false, sort: 'due' },
    byDue: true,
    empty: 'Nothing to do now. New jobs appear here automatically.',
  },
  {
    id: 'mine',
    label: 'Mine',
    count: 'mine',
    query: { holder: 'me', sort: 'due' },
    byDue: true,
    empty: 'You hold no job.',
  },
  {
    id: 'review',
    label: 'In review',
    count: 'in_review',
    query: { status: ['needs_review'], sort: 'due' },
    empty: 'No submitted work is waiting for review.',
  },
  {
    id: 'customer',
    label: 'With customer',
    count: 'with_customer',
    query: { status: ['ready_for_customer_review'] },
    empty: 'No delivery is waiting for a customer.',
  },
  {
    id: 'waiting',
    label: 'Waiting',
    count: 'waiting',
    query: { waiting_on: 'customer' },
    empty: 'No job waits for an answer of a customer.',
  },
  {
    id: 'parked',
    label: 'Parked',
    count: 'parked',
    query: { parked: true, sort: 'due' },
    empty: 'No job is parked. A job is parked once workers took it five times and did not finish it.',
  },
  {
    id: 'overdue',
    label: 'Overdue',
    count: 'overdue',
    query: { overdue: true, sort: 'due' },
    empty: 'Nothing is overdue.',
  },
  everywhere,
];

export const tabOf = (id: string | undefined): Tab => tabs.find((tab) => tab.id === id) ?? tabs[0];
