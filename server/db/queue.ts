import type { Pool } from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import { inSpan } from '../lib/trace.ts';
import { createPool } from './pool.ts';

/** A recurring task. The signal tells it to end soon. */
export type Task = { everySeconds: number; run(stopped: AbortSignal): Promise<void> };
export type Queue = { stop(): Promise<void> };

type Log = Record<'warn' | 'error', (fields: object, message: string) => void>;

/** Milliseconds after a look that failed, and the most by which processes look apart from each other. */
const again = 1_000;
const apart = 100;

/** Of its own, so that tasks begin in time however busy the pool is. */
export const queueConnections = 1;

/**
 * Runs each task about every `everySeconds`, at most twice that plus a second, in one of the processes that
 * share the database. A row per task says when it is due next, by the clock of the database. The process that
 * moves this time on runs the task, so a task of a dead process is late by one period. A task must be safe to
 * run twice at once: a slow or frozen one does not stop other processes from running it. `noteRun` hears of
 * each end of a task here, and at a look that tasks succeed elsewhere, with the seconds since then.
 */
export function startQueue(
  databaseUrl: string,
  tasks: Record<string, Task>,
  log: Log,
  instanceTag = '',
  noteRun: (secondsAgo: number) => void = () => {},
): Queue {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lost = (err: Error) => signal.aborted || log.warn({ err }, 'the task queue lost a connection');
  const pool = createPool(databaseUrl, queueConnections, lost, { instanceTag });
  const running = new Map<string, Promise<void>>();
  const run = (name: string, task: Task, waited: number) =>
    inSpan(`task ${name}`, { 'atelier.task.waited_ms': Math.round(waited * 1000) }, () => task.run(signal))
      .catch((error: unknown) => log.error({ err: error }, `the task ${name} failed`))
      .finally(() => (running.delete(name), noteRun(0)));
  const look = async () => {
    const idle = Object.entries(tasks).filter(([name]) => !running.has(name));
    const { due, next, quiet } = await takeDue(pool, idle);
    for (const [name, task] of idle) {
      const waited = due[name];
      if (waited !== undefined) running.set(name, run(name, task, waited));
    }
    if (quiet !== null) noteRun(quiet);
    return next;
  };
  const shortest = Math.min(...Object.values(tasks).map(({ everySeconds }) => everySeconds));
  const lookUntilStopped = async () => {
    while (!signal.aborted) {
      const pause = await look().then(
        (next) => Math.min(next ?? shortest, shortest) * 1000 + Math.random() * apart,
        (err: unknown) => {
          if (!signal.aborted) log.warn({ err }, 'the task queue could not be read');
          return again;
        },
      );
      await wait(pause, undefined, { signal }).catch(() => {});
    }
  };
  const lasting = lookUntilStopped();
  return {
    async stop() {
      stopping.abort();
      await lasting;
      await pool.end();
      await Promise.all(running.values());
    },
  };
}

/** `due`: the tasks that this process has to run now, and how many seconds each waited. */
type DueTasks = { due: Record<string, number>; next: number | null; quiet: number | null };

/**
 * Writes only if a task is due. A new task is due after its period, and so is one whose time is a minute
 * further away than that, as after a step of the clock. Of two processes that see the same task, the second
 * waits for the first and then finds it moved on, perhaps some milliseconds further than it would have.
 */
async function takeDue(pool: Pool, tasks: readonly [string, Task][]): Promise<DueTasks> {
  const { rows } = await pool.query<DueTasks>(
    `with own as (
      select w.task, w.seconds, now() + make_interval(secs => w.seconds) as next_at, r.due_at,
        now() + make_interval(secs => w.seconds + 60) as too_far
      from unnest($1::text[], $2::int[]) as w (task, seconds) left join task_runs r on r.task = w.task
    ),
    moved as (
      insert into task_runs as r (task, succeeded_at, seconds, every_seconds, due_at)
      select task, now(), 0, seconds, next_at from own where due_at is null or due_at <= now() or due_at > too_far
      order by task
      on conflict (task) do update set due_at = excluded.due_at, every_seconds = excluded.every_seconds
      where r.due_at is null or r.due_at <= now() or r.due_at > excluded.due_at + interval '1 minute'
      returning r.task
    )
    select coalesce(json_object_agg(o.task, extract(epoch from now() - o.due_at))
        filter (where o.due_at <= now() and m.task is not null), '{}') as due,
      extract(epoch from min(case when o.due_at > now() then least(o.due_at, o.next_at) else o.next_at end) - now())::float8
        as next,
      (select greatest(0, extract(epoch from now() - max(succeeded_at)))::float8 from task_runs) as quiet
    from own o left join moved m on m.task = o.task`,
    [tasks.map(([name]) => name), tasks.map(([, { everySeconds }]) => everySeconds)],
  );
  const [look] = rows;
  if (!look) throw new Error('An aggregate returns one row.');
  return look;
}
