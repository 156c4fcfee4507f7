import type { DeskJobListItem } from '../../app/api.ts';
import type { SteadyRow } from '../../ui/list/use-steady-rows.ts';
import { startOfDay } from '../../ui/time/day.ts';

export type Row = SteadyRow<DeskJobListItem>;
export type Group = { name: 'overdue' | 'answered' | 'changes' | 'today' | 'later' | 'waiting' | 'aside'; rows: Row[] };

/** By the due time of the first delivery. Unread answers come early, jobs that wait for one last. */
export function groupByDue(
  rows: Row[],
  now: number,
  unread: Pick<ReadonlyMap<string, number>, 'has'> = new Map(),
): Group[] {
  const tomorrow = startOfDay(now, 1);
  const nameOf = ({ row: job }: Row): Group['name'] => {
    if (job.set_aside) return 'aside';
    if (job.waiting_on !== null) return 'waiting';
    if (job.overdue) return 'overdue';
    if (unread.has(job.id)) return 'answered';
    if (job.revisions.used > 0) return 'changes';
    return job.due_at && Date.parse(job.due_at) < tomorrow ? 'today' : 'later';
  };
  const groups = Map.groupBy(rows, nameOf);
  return (['overdue', 'answered', 'changes', 'today', 'later', 'waiting', 'aside'] as const).flatMap((name) => {
    const inGroup = groups.get(name);
    return inGroup ? [{ name, rows: inGroup }] : [];
  });
}
