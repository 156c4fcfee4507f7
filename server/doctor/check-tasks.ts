import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

type Late = { task: string; waits: boolean; seconds: number };

const restart = 'Start the service, or restart it if it runs; then look for "task" in its log.';

/**
 * A task is taken within two seconds of its time, unless its last run still lasts: then other tasks succeed.
 * A task that fails is taken, too, and has no success.
 */
export async function checkTasks(db: Db): Promise<Finding> {
  const { rows: all } = await sql<{ tasks: number }>`
    select count(*)::int as tasks from task_runs where due_at is not null`.execute(db);
  if (all[0]?.tasks === 0) return warn('No process has run scheduled tasks so far.', restart);
  const { rows } = await sql<Late>`
    with late as (
      select task, due_at < now() - interval '1 minute' and latest < now() - interval '1 minute' as waits, round(extract(epoch from now() - due_at))::int as seconds,
        succeeded_at < now() - 3 * make_interval(secs => every_seconds) - interval '5 minutes' as fails
      from task_runs, (select max(succeeded_at) as latest from task_runs) as all_tasks
    )
    select task, waits, seconds from late where waits or fails order by waits desc, seconds desc, task`.execute(db);
  const waiting = rows.filter(({ waits }) => waits);
  if (waiting.length > 0)
    return fail(`No process runs scheduled tasks: ${namesOf(waiting)} late by ${waiting[0]?.seconds ?? 0} s.`, restart);
  if (rows.length > 0) return warn(`Scheduled tasks have not succeeded for three periods: ${namesOf(rows)}.`, restart);
  return ok('Scheduled tasks run in time.');
}

const namesOf = (rows: readonly Late[]) => rows.map(({ task }) => task).join(', ');
