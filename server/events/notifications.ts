import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { createPool, type Db, ownName, schemaOf } from '../db/pool.ts';
import { Loops } from '../lib/loops.ts';

/**
 * Accounts per notification: 22 characters each of the 8,000 bytes that Postgres allows. Larger sets are sent
 * as `*`. Only one notification at a time, because NOTIFY holds a cluster-wide lock through its commit.
 */
const maxAccounts = 300;
const everything = '*';
const sendEvery = 10;

/** A process hears its own notification within this time, except behind a transaction pooler. */
const hearWithin = 2_000;
const reconnectAfter = 1_000;

const encode = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
const decode = (text: string) =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

type Log = { warn(fields: object, message: string): void };

export type Notifications = {
  send(accountIds: Iterable<string>): void;
  areHeard(): boolean;
  /** Tests that again. The result is known at the next call. */
  probe(): Promise<void>;
  close(): Promise<void>;
};

/** Notifies the processes of the installation of new events. */
export function openNotifications(
  db: Db,
  databaseUrl: string,
  onHeard: (accountIds: string[] | null) => void,
  log: Log,
  loops = new Loops(),
): Notifications {
  const process = randomUUID().slice(0, 8);
  const closing = new AbortController();
  const listener = new Listener(db, databaseUrl, process, onHeard, log, loops, closing.signal);
  const keeping = listener.keepConnection();
  const waiting = new Set<string>();
  let sending = false;

  async function flush(): Promise<void> {
    while (waiting.size > 0 && !closing.signal.aborted) {
      await wait(sendEvery);
      const ids = waiting.size > maxAccounts ? everything : [...waiting].map(encode).join(',');
      waiting.clear();
      // If this fails, the others find the events by polling.
      await listener.notify(`${process} ${ids}`).catch(() => {});
    }
    sending = false;
  }

  return {
    send(accountIds) {
      for (const id of accountIds) waiting.add(id);
      if (sending) return;
      sending = true;
      void flush();
    },
    areHeard: () => listener.heard,
    probe: () => listener.probe(),
    async close() {
      closing.abort();
      await keeping;
    },
  };
}

class Listener {
  heard = false;
  #answered = false;
  readonly #channel: string;
  readonly #db: Db;
  #client: PoolClient | null = null;
  #drop = () => {};
  readonly #pool: Pool;
  readonly #process: string;
  readonly #onHeard: (accountIds: string[] | null) => void;
  readonly #log: Log;
  readonly #loops: Loops;
  readonly #closing: AbortSignal;

  constructor(
    db: Db,
    databaseUrl: string,
    process: string,
    onHeard: (accountIds: string[] | null) => void,
    log: Log,
    loops: Loops,
    closing: AbortSignal,
  ) {
    this.#pool = createPool(databaseUrl, 1, () => {});
    this.#channel = ownName(schemaOf(databaseUrl), 'events', 'atelier_events');
    this.#db = db;
    this.#process = process;
    this.#onHeard = onHeard;
    this.#log = log;
    this.#loops = loops;
    loops.succeeded('listener');
    this.#closing = closing;
  }

  async notify(payload: string): Promise<void> {
    await this.#client?.query('select pg_notify($1, $2)', [this.#channel, payload]);
  }

  /** Sends from another connection: on the same one even a pooler would deliver it. */
  async probe(): Promise<void> {
    if (!this.#client) return;
    if (this.heard && !this.#answered) {
      this.#warn();
      // The server may be gone without a word, and another one in its place.
      this.#drop();
    }
    this.heard = this.#answered;
    this.#answered = false;
    await sql`select pg_notify(${this.#channel}, ${`${this.#process} `})`.execute(this.#db);
  }

  async keepConnection(): Promise<void> {
    while (!this.#closing.aborted) {
      await this.#listenUntilLost().catch((error: unknown) => {
        if (!this.#closing.aborted) this.#log.warn({ err: error }, 'no connection to listen for events');
      });
      await wait(reconnectAfter, undefined, { signal: this.#closing }).catch(() => {});
    }
    await this.#pool.end();
  }

  async #listenUntilLost(): Promise<void> {
    const lost = Promise.withResolvers<Error | null>();
    const stop = () => lost.resolve(null);
    let dropped = false;
    this.#drop = () => {
      dropped = true;
      stop();
    };
    const client = await this.#pool.connect();
    this.#closing.addEventListener('abort', stop);
    client.on('error', lost.resolve).on('end', stop);
    client.on('notification', ({ payload = '' }) => this.#hear(payload));
    try {
      await client.query(`listen ${this.#channel}`);
      this.#client = client;
      await this.probe();
      // Covers what changed while nobody listened.
      this.#onHeard(null);
      void this.#warnUnlessHeard(lost.promise);
      const error = this.#closing.aborted ? null : await lost.promise;
      if (!this.#closing.aborted && !dropped)
        this.#log.warn({ err: error }, 'lost the connection that listens for events');
    } finally {
      this.#closing.removeEventListener('abort', stop);
      this.#client = null;
      this.heard = false;
      client.release(true);
    }
  }

  #hear(payload: string): void {
    const [from, ids = ''] = payload.split(' ');
    if (from === this.#process) {
      this.heard = this.#answered = true;
      this.#loops.succeeded('listener');
    } else if (ids !== '')
      // a process's message to itself names no account
      this.#onHeard(ids === everything ? null : ids.split(',').map(decode));
  }

  async #warnUnlessHeard(lost: Promise<unknown>): Promise<void> {
    await Promise.race([lost, wait(hearWithin, undefined, { ref: false })]);
    if (this.#client && !this.heard) this.#warn();
  }

  #warn(): void {
    this.#log.warn({}, 'LISTEN does not work, as behind a transaction pooler: polling for events four times a second');
  }
}
