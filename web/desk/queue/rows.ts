import { useState } from 'react';
import type { DeskJobListItem } from '../../app/api.ts';
import { startOfDay } from '../../ui/time/time.tsx';

export type Row = { job: DeskJobListItem; gone: boolean };

/**
 * Rows that stay where they are while somebody points at them: what they say is renewed in place, what has left the list
 * stays as it was last seen, and what is new only counts, until `held` ends or `adopt` is called.
 */
export function useSteadyRows(fresh: DeskJobListItem[] | undefined, scope: string, held: boolean) {
  const [kept, setKept] = useState<{ scope: string; jobs: DeskJobListItem[] } | null>(null);
  if (fresh && (kept === null || kept.scope !== scope || (!held && kept.jobs !== fresh)))
    setKept({ scope, jobs: fresh });
  if (fresh === undefined || kept === null || kept.scope !== scope) return { rows: undefined, waiting: 0, adopt() {} };
  return { ...steady(kept.jobs, fresh), adopt: () => setKept({ scope, jobs: fresh }) };
}

export function steady(kept: DeskJobListItem[], fresh: DeskJobListItem[]): { rows: Row[]; waiting: number } {
  const now = new Map(fresh.map((job) => [job.id, job]));
  const known = new Set(kept.map(({ id }) => id));
  return {
    rows: kept.map((job) => ({ job: now.get(job.id) ?? job, gone: !now.has(job.id) })),
    waiting: fresh.filter(({ id }) => !known.has(id)).length,
  };
}

export type Group = { name: 'overdue' | 'changes' | 'today' | 'later'; rows: Row[] };

/** By when the first delivery is due; work that came back with changes has been delivered once, and goes before the rest. */
export function groupByDue(rows: Row[], now: number): Group[] {
  const tomorrow = startOfDay(now, 1);
  const nameOf = ({ job }: Row): Group['name'] => {
    if (job.overdue) return 'overdue';
    if (job.revisions.used > 0) return 'changes';
    return job.due_at && Date.parse(job.due_at) < tomorrow ? 'today' : 'later';
  };
  const groups = Map.groupBy(rows, nameOf);
  return (['overdue', 'changes', 'today', 'later'] as const).flatMap((name) => {
    const found = groups.get(name);
    return found ? [{ name, rows: found }] : [];
  });
}
