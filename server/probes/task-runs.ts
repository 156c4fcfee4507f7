import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** Milliseconds between two notes of a task by this process: some tasks run every other second. */
const noteEvery = 10_000;

/** From now on a task that never runs can be seen. Forgets tasks that this version does not have. */
export async function noteSchedule(db: Db, periods: Record<string, number>): Promise<void> {
  const tasks = Object.keys(periods);
  await sql`delete from task_runs where task <> all(${tasks}::text[])`.execute(db);
  await sql`
    insert into task_runs (task, succeeded_at, seconds, every_seconds)
    select task, now(), 0, period from unnest(${tasks}::text[], ${Object.values(periods)}::int[]) as t (task, period)
    on conflict (task) do update set every_seconds = excluded.every_seconds`.execute(db);
}

/** Returns a function that notes a success of `task`, if it is scheduled. */
export function runsOf(db: Db, task: string): (seconds: number) => Promise<void> {
  let notedAt = -Infinity;
  return async (seconds) => {
    if (performance.now() - notedAt < noteEvery) return;
    await sql`
      update task_runs set succeeded_at = now(), seconds = ${seconds} where task = ${task}`.execute(db);
    notedAt = performance.now();
  };
}
