import { deadlines } from '../lib/deadlines.ts';
import type { Queue } from './queue.ts';
import type { DatabaseWatch } from './watch-database.ts';

/** Milliseconds between looks. */
const lookEvery = 1_000;
/** How often a queue that runs no task is opened anew before the process gives up. */
const mostOpenings = 2;

type Log = Record<'info' | 'error', (fields: object, message: string) => void>;
type Parts = {
  databaseWatch: Pick<DatabaseWatch, 'latest'>;
  log: Log;
  /** `tasksRun`: false from the first silence until a task runs. */
  state: { tasksRun: boolean };
};
/** `noteRun`: a task ran so many seconds ago, here or in another process. */
type Open = (noteRun: (secondsAgo: number) => void) => Queue;

/**
 * Opens the queue of tasks, and opens it anew if no task runs although the database answers. Time in which
 * the database does not answer, or in which this process stands still, does not count.
 */
export class QueueWatch implements Queue {
  readonly #parts: Parts;
  readonly #open: Open;
  readonly #giveUp: ((reason: string) => void) | null;
  readonly #timer: NodeJS.Timeout;
  #queue: Queue;
  #lookedAt = performance.now();
  /** When a task last ran, or since when a silence counts. */
  #since = performance.now();
  #silences = 0;
  #stopped = false;

  constructor(parts: Parts, open: Open, giveUp: ((reason: string) => void) | null) {
    this.#parts = parts;
    this.#open = open;
    this.#giveUp = giveUp;
    this.#queue = this.#openQueue();
    this.#timer = setInterval(() => void this.#look(), lookEvery);
  }

  wake(task: string): void {
    this.#queue.wake(task);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#queue.stop();
  }

  #openQueue(): Queue {
    // What the queue before still does tells nothing about this one.
    const queue = this.#open((secondsAgo) => {
      if (queue === this.#queue) this.#noteRun(performance.now() - secondsAgo * 1000);
    });
    return queue;
  }

  #noteRun(at: number): void {
    if (at < this.#since) return;
    this.#since = at;
    this.#silences = 0;
    if (!this.#parts.state.tasksRun) this.#parts.log.info({}, 'scheduled tasks run again: ready');
    this.#parts.state.tasksRun = true;
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const stoodStill = now - this.#lookedAt - lookEvery;
    this.#lookedAt = now;
    if (stoodStill > lookEvery) this.#since += stoodStill;
    if ((await this.#parts.databaseWatch.latest()) === null) this.#since = now;
    if (this.#stopped) return;
    if (now - this.#since >= deadlines.tasks.silence) this.#noteSilence(now);
  }

  #noteSilence(now: number): void {
    this.#since = now;
    this.#silences++;
    this.#parts.state.tasksRun = false;
    const reason = `no scheduled task has run for ${deadlines.tasks.silence / 1000} s although the database answers`;
    if (this.#giveUp && this.#silences > mostOpenings) return this.#giveUp(reason);
    this.#parts.log.error({}, `${reason}: not ready, and the queue of tasks is opened anew`);
    void this.#queue.stop().catch(() => {}); // a task of it may never end
    this.#queue = this.#openQueue();
  }
}
