import type { ListQueueData, QueueCounts } from '../../app/api.ts';
import { readStanding } from '../read-standing.ts';

/** What a list is narrowed or ordered by, besides its tab. A saved view is all of it, without a tab. */
export const criteria = [
  'family',
  'holder',
  'standing',
  'q',
  'account',
  'status',
  'sort',
  'created_from',
  'created_to',
  'ended_from',
  'ended_to',
] as const;
/** Parts of tabs, which no field of the page sets. */
const fixed = ['parked', 'overdue', 'waiting_on'] as const;
export type QueueFilter = (typeof criteria | typeof fixed)[number] | 'tab' | 'view' | 'job' | 'peek';

type Search = Partial<Record<QueueFilter, string>>;
type Query = NonNullable<ListQueueData['query']>;

export type Tab = {
  id: string;
  label: string;
  count?: keyof Omit<QueueCounts, 'next_due_at'>;
  query: Query;
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

/** A saved view stands in place of a tab. */
export const tabAt = ({ tab, view, sort }: Search): Tab =>
  view ? { ...everywhere, id: view, label: 'Saved view', byDue: sort === 'due' } : tabOf(tab);

/** Takes a saved view or everything that narrows the list out of the address. */
export const nothingChosen: Search = Object.fromEntries(
  [...criteria, ...fixed, 'view', 'job'].map((name) => [name, undefined]),
);

/** What a tab says itself, and what is chosen in one tab would override in the next. */
export const fixedByTabs: Search = { status: undefined, holder: undefined, sort: undefined };

const days = ['created_from', 'created_to', 'ended_from', 'ended_to'] as const;
const yesOrNo = (text: string | undefined) => (text === undefined ? undefined : text === 'true');

/** Filter and order at an address, as the list of jobs takes them. */
export function queryAt(search: Search): Query {
  const { family, holder, q, account, status, sort } = search;
  const standing = readStanding(search.standing);
  return {
    ...(search.view ? {} : tabOf(search.tab).query),
    ...(family && { service_family: family }),
    ...(holder && { holder }),
    ...(standing && { standing }),
    ...(q && { q }),
    ...(account && { account_id: account }),
    ...(status && { status: status.split(',') as Query['status'] & {} }),
    ...(sort && { sort: sort as Query['sort'] & {} }),
    ...Object.fromEntries(days.flatMap((name) => (search[name] ? [[name, search[name]]] : []))),
    ...(search.view && {
      ...(search.parked && { parked: yesOrNo(search.parked) }),
      ...(search.overdue && { overdue: yesOrNo(search.overdue) }),
      ...(search.waiting_on && { waiting_on: 'customer' as const }),
    }),
  };
}

/** Whether the filter is another one: a colleague has changed the view, or the reader has chosen more. */
export const isChanged = (search: Search, { id, filter }: { id: string; filter: Query }): boolean =>
  JSON.stringify(queryAt(search)) !== JSON.stringify(queryAt(searchOf(id, filter)));

/** The address of a saved view. */
export const searchOf = (id: string, { service_family, account_id, ...filter }: Query): Search => ({
  ...Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])),
  ...(service_family && { family: service_family }),
  ...(account_id && { account: account_id }),
  view: id,
});
