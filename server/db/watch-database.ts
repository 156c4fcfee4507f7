import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { StoreDeadlines } from '../lib/deadlines.ts';
import type { Loops } from '../lib/loops.ts';
import { createPool } from './pool.ts';
import { NotConnected, Servers, wordsOf } from './servers.ts';

/** Milliseconds between looks, and after one that failed. */
const lookEvery = 1_000;
const lookAgainAfter = 250;
/** How long an answer counts. */
const freshFor = 3_000;
/** How long Postgres counts as full after a statement that found no space. */
const fullFor = 10_000;

/** A connection to check the database, since all connections of the pools may wait. */
export const watchConnections = 1;

type Log = Record<'info' | 'warn', (fields: object, message: string) => void>;
export type Look = {
  /** Writes that wait for a synchronous standby. */
  waiting: number;
  synchronous_standby_names: string;
  applied: string[];
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
};

/**
 * Looks at the database once a second. So readiness is known without waiting for the pool. It also says when
 * writes wait for a synchronous standby, which looks like a slow database to everybody else: until that is
 * over, further writes at `urls` are refused at once, so that connections are left for reads.
 */
export class DatabaseWatch {
  readonly #pool: pg.Pool;
  readonly #servers: Servers[];
  readonly #log: Log;
  readonly #loops: Loops;
  readonly #stopping = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  readonly #looking: Promise<void>;
  #look: Look | null = null;
  #answeredAt = performance.now();
  #answers = true;
  #failure: unknown = null;
  #waitsSince: number | null = null;

  constructor(directUrl: string, urls: readonly string[], log: Log, loops: Loops, limits: StoreDeadlines['database']) {
    this.#pool = createPool(directUrl, watchConnections, () => {}, { limits });
    this.#servers = urls.map((url) => Servers.of(url));
    this.#log = log;
    this.#loops = loops;
    loops.succeeded('database');
    this.#looking = this.#lookUntilStopped();
  }

  /** What the last answer said, or null if it is too old. Waits only for the first, at most 3 s. */
  async latest(): Promise<Look | null> {
    await this.#first.promise;
    return performance.now() - this.#answeredAt <= freshFor ? this.#look : null;
  }

  /** Why there is no latest answer, in the words of Postgres if it has any. */
  get problem(): string {
    const cause = this.#failure instanceof NotConnected ? this.#failure.cause : this.#failure;
    if (this.#failure === null) return 'does not answer';
    return `${cause instanceof pg.DatabaseError ? 'refuses' : 'does not answer'}: ${wordsOf(this.#failure)}`;
  }

  get isFull(): boolean {
    return this.#servers.some((server) => performance.now() - server.fullAt < fullFor);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #lookUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const failure = await this.#lookOnce().catch((error: unknown) => error ?? 'unknown');
      if (failure !== undefined && !signal.aborted) this.#noteSilence(failure);
      if (failure === undefined || performance.now() - this.#answeredAt > freshFor) this.#first.resolve();
      await wait(failure === undefined ? lookEvery : lookAgainAfter, undefined, { signal }).catch(() => {});
    }
    this.#tell(true);
  }

  async #lookOnce(): Promise<void> {
    const look = await lookAt(this.#pool);
    this.#look = look;
    this.#answeredAt = performance.now();
    this.#loops.succeeded('database');
    if (!this.#answers) this.#log.info({}, 'the database answers again: ready');
    this.#answers = true;
    this.#failure = null;
    this.#tell(look.waiting === 0);
    this.#noteStandby(look);
  }

  #tell(confirms: boolean): void {
    for (const server of this.#servers) server.standbyConfirms(confirms);
  }

  #noteSilence(err: unknown): void {
    // A failed look tells nothing about the standby.
    this.#tell(true);
    this.#failure = err;
    if (!this.#answers || performance.now() - this.#answeredAt <= freshFor) return;
    this.#answers = false;
    this.#log.warn({ err }, `not ready: the database ${this.problem}`);
  }

  #noteStandby({ waiting, synchronous_standby_names }: Look): void {
    if (waiting > 0 && this.#waitsSince === null) {
      this.#waitsSince = performance.now();
      this.#log.warn(
        { waiting, synchronous_standby_names },
        'writes wait for a synchronous standby: none that synchronous_standby_names names confirms them',
      );
    } else if (waiting === 0 && this.#waitsSince !== null) {
      const seconds = Math.round((performance.now() - this.#waitsSince) / 1_000);
      this.#log.info({ seconds }, 'writes no longer wait for a synchronous standby');
      this.#waitsSince = null;
    }
  }
}

/**
 * A standby confirms a write in milliseconds. Sessions of other roles are not visible. Two statements in one
 * text are one transaction. They are two because Citus asks each table on the node that has it.
 */
async function lookAt(pool: pg.Pool): Promise<Look> {
  const results: unknown = await pool.query(`
    select count(*)::int as waiting, current_setting('synchronous_standby_names') as synchronous_standby_names,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit
    from pg_stat_activity
    where datname = current_database() and wait_event = 'SyncRep' and query_start < now() - interval '2 seconds';
    select name from kysely_migration`);
  const [settings, migrations] = results as [pg.QueryResult<Omit<Look, 'applied'>>, pg.QueryResult<{ name: string }>];
  if (!settings.rows[0]) throw new Error('The database gave no answer.');
  return { ...settings.rows[0], applied: migrations.rows.map(({ name }) => name) };
}
