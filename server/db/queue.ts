import type { Pool } from 'pg';
import { setTimeout as wait } from 'node:timers/promises';
import { deadlines } from '../lib/deadlines.ts';
import { inSpan } from '../lib/trace.ts';
import { createPool } from './pool.ts';

/** A recurring task. The signal tells it to end soon. */
export type Task = { everySeconds: number; run(stopped: AbortSignal): Promise<void> };
/** `wake` runs a task in this process now, or once more if it runs here already. */
export type Queue = { wake(task: string): void; stop(): Promise<void> };
/** `ran`: a task ended here, or succeeded elsewhere. `succeeded`: when each last did so in any process. */
export type Notes = { ran(secondsAgo: number): void; succeeded(task: string, secondsAgo: number): void };

type Log = Record<'warn' | 'error', (fields: object, message: string) => void>;

/** Milliseconds after a look that failed, and the most by which processes look apart from each other. */
const again = 1_000;
const apart = 100;

/** A connection of its own, so that tasks begin in time however busy the pool is. */
export const queueConnections = 1;

/**
 * Runs each task about every `everySeconds`, at most twice that plus a second, in one of the processes that
 * share the database. A row per task says when it is due next, by the clock of the database. The process that
 * moves this time on runs the task, so a task of a dead process is late by one period. A task must be safe to
 * run twice at once: a slow or frozen one does not stop other processes from running it. Once it has run for
 * `deadlines.tasks.stuck`, this process may run it again, too.
 */
export function startQueue(
  databaseUrl: string,
  tasks: Record<string, Task>,
  log: Log,
  instanceTag = '',
  notes: Notes = { ran() {}, succeeded() {} },
): Queue {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lost = (err: Error) => signal.aborted || log.warn({ err }, 'the task queue lost a connection');
  const pool = createPool(databaseUrl, queueConnections, lost, { instanceTag });
  const running = new Map<string, { began: number; ended: Promise<void> }>();
  const woken = new Set<string>();
  const isBusy = (name: string) => {
    const { began } = running.get(name) ?? {};
    return began !== undefined && performance.now() - began < deadlines.tasks.stuck;
  };
  const begin = (name: string, task: Task, waited: number) => {
    if (running.has(name)) log.error({}, `the task ${name} does not end: it is begun anew`);
    const ended = inSpan(`task ${name}`, { 'atelier.task.waited_ms': Math.round(waited * 1000) }, () =>
      task.run(signal),
    )
      .catch((error: unknown) => log.error({ err: error }, `the task ${name} failed`))
      .finally(() => {
        if (running.get(name) === begun) running.delete(name);
        notes.ran(0);
        if (woken.delete(name)) wake(name);
      });
    const begun = { began: performance.now(), ended };
    running.set(name, begun);
  };
  const wake = (name: string) => {
    if (isBusy(name)) woken.add(name);
    else if (tasks[name] && !signal.aborted) begin(name, tasks[name], 0);
  };
  const look = async () => {
    const idle = Object.entries(tasks).filter(([name]) => !isBusy(name));
    const { due, next, ages } = await takeDue(pool, idle);
    for (const [name, task] of idle) {
      const waited = due[name];
      if (waited !== undefined) begin(name, task, waited);
    }
    for (const [name, age] of Object.entries(ages)) notes.succeeded(name, age);
    if (Object.keys(ages).length > 0) notes.ran(Math.min(...Object.values(ages)));
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
    wake,
    async stop() {
      stopping.abort();
      await lasting;
      await pool.end();
      await Promise.all(Array.from(running.values(), ({ ended }) => ended));
    },
  };
}

/**
 * `due`: the tasks that this process has to run now, and how many seconds each waited. `ages`: seconds since
 * each task last succeeded in any process.
 */
type DueTasks = { due: Record<string, number>; next: number | null; ages: Record<string, number> };

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
      (select coalesce(json_object_agg(task, greatest(0, extract(epoch from now() - succeeded_at))), '{}') from task_runs) as ages
    from own o left join moved m on m.task = o.task`,
    [tasks.map(([name]) => name), tasks.map(([, { everySeconds }]) => everySeconds)],
  );
  const [look] = rows;
  if (!look) throw new Error('An aggregate returns one row.');
  return look;
}
