import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** Milliseconds between two notes of a task by this process: some tasks run every other second. */
const noteEvery = 10_000;

/** The queue makes a row per task. Forgets those of tasks that this version does not have. */
export async function forgetOtherTasks(db: Db, tasks: readonly string[]): Promise<void> {
  await sql`delete from task_runs where task <> all(${tasks}::text[])`.execute(db);
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
