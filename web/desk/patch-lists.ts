import type { Query } from '@tanstack/react-query';
import { api, type DeskJobListItem, type ListQueueData, queryClient } from '../app/api.ts';
import type { Pages } from '../app/read-queries.ts';
import { patched } from './queue/patched.ts';

type Filters = NonNullable<ListQueueData['query']>;

/** Ids that one request may ask for. */
const most = 100;

let changed = new Set<string>();
let running: Promise<void> | null = null;

/** Reads the rows of these jobs anew in every list on the page. Only one patch runs at a time. */
export function patchLists(jobs: string[]): void {
  for (const id of jobs) changed.add(id);
  if (changed.size > 0) running ??= patchAll().finally(() => (running = null));
}

async function patchAll(): Promise<void> {
  while (changed.size > 0) {
    const ids = [...changed];
    changed = new Set();
    const lists = queryClient.getQueryCache().findAll({ queryKey: ['listQueue'] });
    await Promise.all(lists.map((list) => patch(list, ids).catch(() => readWhole(list))));
  }
}

async function patch(list: Query, ids: string[]): Promise<void> {
  const [, input, isPages] = list.queryKey as [string, { query?: Filters }, string?];
  // A list that is being read may miss the change, so it is read again.
  if (isPages === undefined || !list.isActive() || list.state.fetchStatus !== 'idle' || ids.length > most)
    return readWhole(list);
  const { jobs } = await api.listQueue({ query: { ...input.query, id: ids, limit: most } });
  if (list.state.fetchStatus !== 'idle') return readWhole(list);
  queryClient.setQueryData<Pages<DeskJobListItem>>(
    list.queryKey,
    (shown) => shown && patched(shown, ids, jobs, input.query?.sort),
  );
}

/** Lists that are not shown are read when they are. */
const readWhole = (list: Query): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: list.queryKey, exact: true });
