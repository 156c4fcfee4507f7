import { Logger, run, type TaskList } from 'graphile-worker';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { createPool } from './pool.ts';

/** Something that is done again and again. It is given a signal that tells it to end soon. */
export type Task = { everySeconds: number; run(stopped: AbortSignal): Promise<void> };
export type Queue = { stop(): Promise<void> };

type Say = Record<'debug' | 'warn' | 'error', (fields: object, message: string) => void>;

/** Milliseconds: how often the queue is looked at, and the wait before it is opened again after it gave up. */
const lookEvery = 1_000;
const again = 1_000;

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;
const loggerOf = (log: Say) =>
  new Logger(() => (level, message, meta) => log[levels[level]]({ err: meta?.error }, message));

/**
 * Runs each task about every `everySeconds`, a second more than twice that at most, in one of the processes that share
 * the database. Each process tells the queue, as often, that the task is to run within that time; the key of the entry
 * makes one of it. So nothing is lost with a process: an entry that died with one is replaced when the next process tells.
 * A task must be safe to run twice at once, since one that takes long, or is frozen, does not keep others from running it.
 * Times are the database's.
 */
export function startQueue(databaseUrl: string, tasks: Record<string, Task>, log: Say, instanceTag = ''): Queue {
  const stopping = new AbortController();
  const lost = (error: Error) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'the task queue lost a connection');
  };
  // One connection for each task, one to listen, one to enqueue.
  const pool = createPool(databaseUrl, Object.keys(tasks).length + 2, lost, { instanceTag });
  pool.on('connect', (client) => client.on('error', lost)); // those in use have no listener of the pool
  const lasting = keepRunning(pool, tasks, stopping.signal, log);
  return {
    async stop() {
      stopping.abort();
      await lasting;
      await pool.end();
    },
  };
}

/** A task that this process still runs is not begun again; one that fails is tried again at its next time. */
function taskList(tasks: Record<string, Task>, stopped: AbortSignal, log: Say): TaskList {
  const running = new Set<string>();
  const guarded = async (name: string, task: Task) => {
    if (running.has(name)) return;
    running.add(name);
    await task
      .run(stopped)
      .catch((error: unknown) => log.error({ err: error }, `the task ${name} failed`))
      .finally(() => running.delete(name));
  };
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, () => guarded(name, task)]));
}

/** The queue gives up after some failures of the database; then it is opened again, for as long as it is not stopped. */
async function keepRunning(pool: Pool, tasks: Record<string, Task>, stopping: AbortSignal, log: Say): Promise<void> {
  while (!stopping.aborted) {
    try {
      await runQueue(pool, tasks, stopping, log);
    } catch (error) {
      log.error({ err: error }, 'the task queue stopped and starts again');
    }
    await wait(again, undefined, { signal: stopping }).catch(() => {});
  }
}

/** Runs the queue until it is stopped, or until it gives up. Its tables are its own, and are brought up to date here. */
async function runQueue(pool: Pool, tasks: Record<string, Task>, stopping: AbortSignal, log: Say): Promise<void> {
  const runner = await run({
    pgPool: pool,
    taskList: taskList(tasks, stopping, log),
    concurrency: Object.keys(tasks).length,
    pollInterval: lookEvery,
    parsedCronItems: [],
    noHandleSignals: true,
    logger: loggerOf(log),
    // Without a batch the end of a task is written beside the loop, and a lost connection there would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  let stopped = Promise.resolve();
  const stop = () => void (stopped = runner.stop().catch(() => {})); // it may have stopped by itself
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const timers = Object.entries(tasks).map(([name, { everySeconds }]) => {
    const remind = () =>
      void enqueue(pool, name, everySeconds).catch((error: unknown) =>
        log.warn({ err: error }, `the task ${name} was not scheduled`),
      );
    remind();
    return setInterval(remind, everySeconds * 1000);
  });
  await runner.promise.finally(() => {
    timers.forEach((timer) => clearInterval(timer));
    stopping.removeEventListener('abort', stop);
  });
  await stopped;
}

/** An entry that waits keeps its time. Beside one that was begun, and may have died with its process, a new one is made. */
const enqueue = (pool: Pool, name: string, seconds: number) =>
  pool.query(
    `select graphile_worker.add_job($1, run_at => now() + make_interval(secs => $2), max_attempts => 1, job_key => $1,
      job_key_mode => 'preserve_run_at')`,
    [name, seconds],
  );
