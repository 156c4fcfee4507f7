import { type JobHelpers, Logger, run, type TaskList } from 'graphile-worker';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { inSpan } from '../lib/trace.ts';
import { createPool, ownName, schemaOf } from './pool.ts';

/** A recurring task. The signal tells it to end soon. */
export type Task = { everySeconds: number; run(stopped: AbortSignal): Promise<void> };
export type Queue = { stop(): Promise<void> };

type Log = Record<'debug' | 'warn' | 'error', (fields: object, message: string) => void>;

/** Milliseconds between looks at the queue, and before a queue that gave up is opened again. */
const lookEvery = 1_000;
const again = 1_000;

const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'debug' } as const;
/** The library wants a connection per task, although a task that runs has none. */
const isExpected = (message: string) => message.startsWith('WARNING: having maxPoolSize');
const loggerOf = (log: Log) =>
  new Logger(() => (level, message, meta) => {
    if (!isExpected(message)) log[levels[level]]({ err: meta?.error }, message);
  });

/** One listens; the others take, end and schedule tasks, which needs a connection for one statement each. */
export const queueConnections = 4;

/**
 * Runs each task about every `everySeconds`, at most twice that plus a second, in one of the processes that
 * share the database. Every process schedules the task at that interval, and the key of the entry merges
 * their entries into one. An entry lost with its process is replaced when the next process schedules. A task
 * must be safe to run twice at once: a slow or frozen one does not stop others from running it. Times come
 * from the database.
 */
export function startQueue(databaseUrl: string, tasks: Record<string, Task>, log: Log, instanceTag = ''): Queue {
  const stopping = new AbortController();
  const lost = (error: Error) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'the task queue lost a connection');
  };
  const pool = createPool(databaseUrl, queueConnections, lost, { instanceTag });
  pool.on('connect', (client) => client.on('error', lost)); // the pool does not listen to connections in use
  const schema = ownName(schemaOf(databaseUrl), 'queue', 'graphile_worker');
  const lasting = keepRunning({ pool, schema }, tasks, stopping.signal, log);
  return {
    async stop() {
      stopping.abort();
      await lasting;
      await pool.end();
    },
  };
}

/** Skips a task that this process still runs. A failed task is tried again at its next time. */
function taskList(tasks: Record<string, Task>, stopped: AbortSignal, log: Log): TaskList {
  const running = new Set<string>();
  const guarded = async (name: string, task: Task, dueAt: Date) => {
    if (running.has(name)) return;
    running.add(name);
    const facts = { 'atelier.task.waited_ms': Math.max(0, Date.now() - dueAt.getTime()) };
    await inSpan(`task ${name}`, facts, () => task.run(stopped))
      .catch((error: unknown) => log.error({ err: error }, `the task ${name} failed`))
      .finally(() => running.delete(name));
  };
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (_payload: unknown, { job }: JobHelpers) => guarded(name, task, job.run_at),
    ]),
  );
}

/** The tables of the queue have a schema of their own. */
type Place = { pool: Pool; schema: string };

/** The queue gives up after several database failures. Opens it again until it is stopped. */
async function keepRunning(place: Place, tasks: Record<string, Task>, stopping: AbortSignal, log: Log): Promise<void> {
  while (!stopping.aborted) {
    try {
      await runQueue(place, tasks, stopping, log);
    } catch (error) {
      log.error({ err: error }, 'the task queue stopped and starts again');
    }
    await wait(again, undefined, { signal: stopping }).catch(() => {});
  }
}

async function runQueue(place: Place, tasks: Record<string, Task>, stopping: AbortSignal, log: Log): Promise<void> {
  const runner = await run({
    pgPool: place.pool,
    schema: place.schema,
    taskList: taskList(tasks, stopping, log),
    // As many as there are tasks, so that none waits for a slow one.
    concurrency: Object.keys(tasks).length,
    pollInterval: lookEvery,
    parsedCronItems: [],
    noHandleSignals: true,
    logger: loggerOf(log),
    // Without batches, task ends are written outside the loop, where a lost connection would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  let stopped = Promise.resolve();
  const stop = () => void (stopped = runner.stop().catch(() => {})); // may have stopped already
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  const timers = Object.entries(tasks).map(([name, { everySeconds }]) => {
    const remind = () =>
      void enqueue(place, name, everySeconds).catch((error: unknown) =>
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

/** A waiting entry keeps its time. A running one, perhaps in a dead process, gets a successor. */
async function enqueue({ pool, schema }: Place, name: string, seconds: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      `select ${schema}.add_job($1, run_at => now() + make_interval(secs => $2), max_attempts => 1, job_key => $1,
        job_key_mode => 'preserve_run_at')`,
      [name, seconds],
    );
  } finally {
    client.release();
  }
}
