import { Refusal } from '../http/refusal.ts';
import { beginToTakeEffect, doSharedWork } from '../http/work.ts';

type Call<Item, Result> = {
  key: string;
  item: Item;
  queuedAt: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

type Statements<Item, Result> = {
  /** Runs items of many keys without waiting for locks: null if another transaction has locked the key. */
  skipLocked: (items: readonly Item[]) => Promise<(Result | null)[]>;
  /** Runs items of one key, and waits for its lock. */
  waitForLock: (items: readonly Item[]) => Promise<Result[]>;
};

type Limits = {
  maxBatchSize: number;
  maxInFlight: number;
  /** How many queued calls start a statement although another one runs. */
  besideFrom: number;
  /** How many `waitForLock` statements may run at once. */
  maxWaiting: number;
  /** How long a call may be queued before it is refused. */
  maxWaitMs: number;
};

/** A call that has been queued for this many milliseconds starts a statement although another one runs. */
const besideAfterMs = 20;

/**
 * Batches calls for a statement that locks the row of each item's key.
 *
 * - Calls of one tick share a statement. Under load statements become larger, not more numerous, because
 *   one more row costs far less than one more statement.
 * - A key is in one statement at a time, so our own statements never wait for each other's locks.
 * - A key that another transaction has locked gets a statement of its own, so that no other key waits for it.
 * - A call that was queued for too long is refused and never reaches the database.
 */
export class KeyedBatch<Item, Result> {
  readonly #keyOf: (item: Item) => string;
  readonly #statements: Statements<Item, Result>;
  readonly #limits: Limits;
  /** Calls that no statement has run yet, by key, in the order in which the keys came. */
  readonly #queues = new Map<string, Call<Item, Result>[]>();
  /** Calls that `skipLocked` answered with null, by key, until a `waitForLock` statement takes them. */
  readonly #locked = new Map<string, Call<Item, Result>[]>();
  /** Keys that are in a running statement or in `#locked`. Their queues wait. */
  readonly #busy = new Set<string>();
  readonly #running = { skipLocked: 0, waitForLock: 0 };
  #startScheduled = false;
  #besideTimer: NodeJS.Timeout | undefined;

  constructor(keyOf: (item: Item) => string, statements: Statements<Item, Result>, limits: Limits) {
    this.#keyOf = keyOf;
    this.#statements = statements;
    this.#limits = limits;
  }

  enqueue(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      beginToTakeEffect();
      const call = { key: this.#keyOf(item), item, queuedAt: performance.now(), resolve, reject };
      const queue = this.#queues.get(call.key);
      if (queue) queue.push(call);
      else this.#queues.set(call.key, [call]);
      this.#scheduleStart();
    });
  }

  #scheduleStart(): void {
    if (this.#startScheduled) return;
    this.#startScheduled = true;
    setImmediate(() => {
      this.#startScheduled = false;
      doSharedWork(() => this.#start());
    });
  }

  /** Starts as many statements as the limits allow. */
  #start(): void {
    for (let batch = this.#nextBatch(); batch !== null; batch = this.#nextBatch()) void this.#run(batch);
  }

  #nextBatch(): { kind: keyof Statements<Item, Result>; calls: Call<Item, Result>[] } | null {
    if (this.#running.waitForLock < this.#limits.maxWaiting) {
      const calls = this.#takeLockedKey();
      if (calls.length > 0) return { kind: 'waitForLock', calls };
    }
    const { skipLocked: running } = this.#running;
    if (running < this.#limits.maxInFlight && (running === 0 || this.#mayRunBeside())) {
      const calls = this.#takeFreeKeys();
      if (calls.length > 0) return { kind: 'skipLocked', calls };
    }
    return null;
  }

  async #run({ kind, calls }: { kind: keyof Statements<Item, Result>; calls: Call<Item, Result>[] }): Promise<void> {
    this.#running[kind]++;
    try {
      this.#settle(calls, await this.#statements[kind](calls.map(({ item }) => item)));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
    this.#running[kind]--;
    for (const { key } of calls) if (!this.#locked.has(key)) this.#busy.delete(key);
    this.#start();
  }

  /** Answers the calls of a statement; those whose key was locked are put aside. */
  #settle(calls: Call<Item, Result>[], results: (Result | null)[]): void {
    for (const [n, call] of calls.entries()) {
      const result = results[n];
      if (result === undefined) call.reject(new Error('A statement has no result for an item.'));
      else if (result !== null) call.resolve(result);
      else this.#locked.set(call.key, [...(this.#locked.get(call.key) ?? []), call]);
    }
  }

  /** The calls of the next locked key, and those queued behind them. The key stays busy. */
  #takeLockedKey(): Call<Item, Result>[] {
    for (const [key, calls] of this.#locked) {
      this.#locked.delete(key);
      const batch = refuseLate([...calls, ...this.#dequeue(key, calls.length)], this.#limits.maxWaitMs);
      if (batch.length > 0) return batch;
      this.#busy.delete(key);
    }
    return [];
  }

  /** The queued calls of all keys that are not busy, up to the size of a batch. The keys become busy. */
  #takeFreeKeys(): Call<Item, Result>[] {
    const batch: Call<Item, Result>[] = [];
    for (const key of this.#queues.keys()) {
      if (batch.length >= this.#limits.maxBatchSize) break;
      if (this.#busy.has(key)) continue;
      const calls = refuseLate(this.#dequeue(key, batch.length), this.#limits.maxWaitMs);
      if (calls.length > 0) this.#busy.add(key);
      batch.push(...calls);
    }
    return batch;
  }

  /** Removes calls of a key from its queue: as many as fit into a batch that already has `batchSize`. */
  #dequeue(key: string, batchSize: number): Call<Item, Result>[] {
    const queue = this.#queues.get(key) ?? [];
    const calls = queue.splice(0, this.#limits.maxBatchSize - batchSize);
    if (queue.length === 0) this.#queues.delete(key);
    return calls;
  }

  /** Whether queued calls may start a statement while another one runs. If not, a timer tries again. */
  #mayRunBeside(): boolean {
    let [count, oldest] = [0, Infinity];
    for (const [key, queue] of this.#queues) {
      if (this.#busy.has(key)) continue;
      count += queue.length;
      oldest = Math.min(oldest, queue[0]?.queuedAt ?? Infinity);
    }
    if (count === 0) return false;
    const leftMs = oldest + besideAfterMs - performance.now();
    if (count >= this.#limits.besideFrom || leftMs <= 0) return true;
    this.#besideTimer =
      this.#besideTimer ??
      setTimeout(() => {
        this.#besideTimer = undefined;
        this.#start();
      }, leftMs);
    return false;
  }
}

/** Refuses the calls that were queued for too long, and answers the others. */
function refuseLate<Item, Result>(calls: Call<Item, Result>[], maxWaitMs: number): Call<Item, Result>[] {
  const earliest = performance.now() - maxWaitMs;
  for (const { queuedAt, reject } of calls)
    if (queuedAt < earliest) reject(new Refusal('service_unavailable', { headers: { 'retry-after': '2' } }));
  return calls.filter(({ queuedAt }) => queuedAt >= earliest);
}
