import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { ownName } from '../db/pool.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

type Waiting = { task: string; late: boolean; seconds: number };

const restart = 'Start the service, or restart it if it runs; then look for "task" in its log.';

/** A task is taken within a second of its time. */
export async function checkTasks(db: Db, schema: string): Promise<Finding> {
  const queue = ownName(schema, 'queue', 'graphile_worker');
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass(${`${queue}.jobs`}) is not null as there`.execute(db);
  if (tables[0]?.there !== true) return warn('No process has run scheduled tasks so far.', restart);
  const { rows } = await sql<Waiting>`
    select task_identifier as task, last_error is null as late,
      round(extract(epoch from now() - run_at))::int as seconds
    from ${sql.table(`${queue}.jobs`)}
    where last_error is not null
      or (locked_at is null and attempts < max_attempts and run_at < now() - interval '1 minute')
    order by run_at limit 100`.execute(db);
  const late = rows.filter((row) => row.late);
  if (late.length > 0)
    return fail(`Scheduled tasks are late, ${namesOf(late)} by ${late[0]?.seconds ?? 0} s.`, restart);
  if (rows.length > 0) return warn(`Scheduled tasks ended with an error: ${namesOf(rows)}.`, restart);
  return ok('Scheduled tasks run in time.');
}

const namesOf = (rows: readonly Waiting[]) => [...new Set(rows.map(({ task }) => task))].join(', ');
