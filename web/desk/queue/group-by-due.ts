import type { DeskJobListItem } from '../../app/api.ts';
import type { SteadyRow } from '../../ui/list/steady.ts';
import { startOfDay } from '../../ui/time/day.ts';

export type Row = SteadyRow<DeskJobListItem>;
export type Group = { name: 'overdue' | 'changes' | 'today' | 'later'; rows: Row[] };

/** By the due time of the first delivery. Returned work comes first. */
export function groupByDue(rows: Row[], now: number): Group[] {
  const tomorrow = startOfDay(now, 1);
  const nameOf = ({ row: job }: Row): Group['name'] => {
    if (job.overdue) return 'overdue';
    if (job.revisions.used > 0) return 'changes';
    return job.due_at && Date.parse(job.due_at) < tomorrow ? 'today' : 'later';
  };
  const groups = Map.groupBy(rows, nameOf);
  return (['overdue', 'changes', 'today', 'later'] as const).flatMap((name) => {
    const inGroup = groups.get(name);
    return inGroup ? [{ name, rows: inGroup }] : [];
  });
}
