import { randomUUID } from 'node:crypto';
import { callbackify } from 'node:util';
import pg from 'pg';
import { refuseWork } from '../http/work.ts';
import { tracing } from '../lib/trace.ts';
import { NoPrimary, NoStandby, NotConnected, type Servers } from './servers.ts';

/** Errors after which the connection cannot be used: the backend may be frozen or no longer accept writes. */
const isUseless = (error: Error & { code?: string }) => error.message === timedOut || error.code === '25006';
const timedOut = 'Query read timeout';
const diskFull = '53100';

/** Names let a connection plan a statement once. Limited, because names fill Postgres's memory. */
const statementNames = new Map<string, string>();
const mostNames = 500;

function nameOf(text: string): string | undefined {
  const existing = statementNames.get(text);
  if (existing !== undefined || statementNames.size >= mostNames) return existing;
  const name = `${schemaChanges}.${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

/**
 * Counts migrations that changed a planned result: all statements get new names then, and a comment, because
 * a pooler knows statements by their text.
 */
let schemaChanges = 0;
const processTag = randomUUID();
const textOf = (text: string) => (schemaChanges === 0 ? text : `${text}\n-- ${processTag} ${schemaChanges}`);
const isSchemaChange = (error: Error & { code?: string; routine?: string }) =>
  error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

function forgetPlans(): void {
  schemaChanges++;
  statementNames.clear();
}

/** Statements that wait for the standby at their end, or begin a transaction that does. */
const commits =
  /^\s*(?:begin|start transaction|insert|update|delete|select pg_notify|with\b[^]*\b(?:insert\s+into|update|delete\s+from)\b)/i;

type Config = pg.PoolConfig & { servers: Servers };

/** Goes to the server whose turn it is. A useless connection is closed instead of reused. */
class Client extends pg.Client {
  readonly #servers: Servers;
  readonly #server: string;
  readonly #patience: number;
  readonly age: number;
  /** Set while a write of it waits for a standby: if it were closed, Postgres would hold it uncounted. */
  late: Promise<void> | null = null;

  constructor(config: Config) {
    const { servers, connectionTimeoutMillis = 0 } = config;
    const [server, patience] = [servers.next, connectionTimeoutMillis / servers.urls.length];
    super({ ...config, connectionString: server, connectionTimeoutMillis: patience });
    this.#servers = servers;
    this.#server = server;
    this.#patience = patience;
    this.age = servers.age;
    // A broken connection also fails its query. Without a listener it would end the process too.
    this.on('error', () => {});
  }

  override connect = ((callback?: (error: Error | null, client?: pg.Client) => void) => {
    if (!callback) return this.#connect();
    callbackify(() => this.#connect())(callback);
  }) as pg.Client['connect'];

  async #connect(): Promise<this> {
    try {
      await super.connect();
      if (this.#servers.urls.length > 1) await this.#refuseStandby();
      this.#servers.found(this.#server);
      return this;
    } catch (cause) {
      const error = new NotConnected(cause);
      this.#servers.failed(this.#server, error);
      void super.end().catch(() => {});
      throw error;
    }
  }

  async #refuseStandby(): Promise<void> {
    const question = { text: 'select pg_is_in_recovery() as standby', query_timeout: this.#patience };
    const { rows } = await super.query<{ standby: boolean }>(question);
    if (rows[0]?.standby) throw new Error('is a standby, which accepts no writes');
  }

  // The overloads of the base class cannot be repeated. Callbacks and promises pass through unchanged.
  override query = ((...args: unknown[]) => {
    const [text, values, ...rest] = args;
    const refusal = typeof text === 'string' ? refuseWork(this, text) : null;
    if (refusal) return Promise.reject(refusal);
    if (this.late || (this.#servers.gap && typeof text === 'string' && commits.test(text)))
      return Promise.reject(new NoStandby());
    const hasParameters = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const named = hasParameters ? [{ text: textOf(text), values, name: nameOf(text) }, ...rest] : args;
    const end = typeof text === 'string' ? tracing?.statement(text) : null;
    const result = (super.query as (...args: unknown[]) => unknown).apply(this, named);
    if (end && result instanceof Promise) result.then(() => end(), end);
    if (result instanceof Promise)
      result.catch((error: Error) => {
        countFault(error, error.message === timedOut);
        if (isUseless(error)) this.#giveUp(error);
        if (isSchemaChange(error)) forgetPlans();
        if ((error as { code?: string }).code === diskFull) this.#servers.fullAt = performance.now();
      });
    return result;
  }) as pg.Client['query'];

  #giveUp({ message }: Error): void {
    if (message === timedOut) this.late = this.#servers.gap;
    if (this.late) return;
    this.#servers.distrust();
    void this.end();
  }
}

/** Goes from server to server until one accepts writes, within the time that one connection may take. */
export class Pool extends pg.Pool {
  readonly #servers: Servers;
  readonly #patience: number;

  constructor(config: Config) {
    super({ ...config, Client: Client as unknown as new () => pg.ClientBase });
    this.#servers = config.servers;
    this.#patience = config.connectionTimeoutMillis ?? 0;
  }

  override connect = ((callback?: (error: Error | undefined, client?: pg.PoolClient, done?: unknown) => void) => {
    if (!callback) return this.#connect();
    callbackify(() => this.#connect())((error, client) =>
      callback(error ?? undefined, client, error ? () => {} : client.release),
    );
  }) as pg.Pool['connect'];

  // That of the library passes a callback, past what a client of ours does for a promise.
  override query = (async (...args: unknown[]) => {
    const client = await this.#connect();
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    try {
      return await query(...args);
    } finally {
      client.release();
    }
  }) as pg.Pool['query'];

  async #connect(): Promise<pg.PoolClient> {
    const giveUpAt = performance.now() + this.#patience;
    const failures = new Map<string, unknown>();
    for (;;) {
      try {
        const client = await super.connect();
        const { late, age } = client as unknown as Client;
        if (!late && age === this.#servers.age) return client;
        if (late) void late.then(() => client.release(true));
        else client.release(true);
      } catch (error) {
        const server = this.#servers.failedAt(error);
        if (server === null || this.#servers.urls.length === 1) throw error;
        failures.set(server, error);
        const isLast = failures.size === this.#servers.urls.length || performance.now() > giveUpAt;
        if (isLast) throw new NoPrimary(failures);
      }
    }
  }
}

/** How often statements of this process failed, by kind, since its start. */
export const databaseFaults = { statement_timeout: 0, no_answer: 0, lost_race: 0 };

/** A statement that lost a race (a deadlock, say) is not repeated: its request is answered 503. */
const kinds: Record<string, keyof typeof databaseFaults> = {
  '57014': 'statement_timeout',
  '40001': 'lost_race',
  '40P01': 'lost_race',
};

function countFault({ code = '' }: Error & { code?: string }, gotNoAnswer: boolean): void {
  const kind = gotNoAnswer ? 'no_answer' : kinds[code];
  if (kind) databaseFaults[kind]++;
}
