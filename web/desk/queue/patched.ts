import type { DeskJobListItem, ListQueueData } from '../../app/api.ts';
import type { Pages } from '../../app/read-queries.ts';

type Sort = NonNullable<ListQueueData['query']>['sort'];
type Job = Pick<DeskJobListItem, 'id' | 'created_at' | 'due_at' | 'waiting_since' | 'remaining_seconds'>;

/**
 * The loaded pages of a list after some jobs have changed. `present` are those that belong to the list now.
 * A job that left is removed, and one that came gets its place, unless a page that is not loaded has it.
 */
export function patched<Row extends Job>(shown: Pages<Row>, changed: string[], present: Row[], sort: Sort): Pages<Row> {
  const ids = new Set(changed);
  const rows = shown.rows.filter(({ id }) => !ids.has(id));
  const last = shown.rows.at(-1);
  const loaded = present.filter((row) => !shown.more || (last && compare(row, last, sort) <= 0));
  return { ...shown, rows: [...rows, ...loaded].toSorted((a, b) => compare(a, b, sort)) };
}

/** The order of the service. */
function compare(a: Job, b: Job, sort: Sort): number {
  const difference = positionOf(a, sort) - positionOf(b, sort) || (a.id < b.id ? -1 : Number(a.id > b.id));
  return sort === 'newest' ? -difference : difference;
}

/** A job that waits for an answer stays where its due date was. */
function positionOf({ due_at, waiting_since, remaining_seconds, created_at }: Job, sort: Sort): number {
  if (sort !== 'due') return Date.parse(created_at);
  if (waiting_since !== null && remaining_seconds !== null) return Date.parse(waiting_since) + remaining_seconds * 1000;
  return Date.parse(due_at ?? created_at);
}
