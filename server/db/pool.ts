import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Refusal } from '../http/refusal.ts';
import { doSharedWork } from '../http/work.ts';
import { deadlines, type StoreDeadlines } from '../lib/deadlines.ts';
import type { DB } from '../tables.ts';
import { Pool } from './client.ts';
import { Servers } from './servers.ts';

export type Db = Kysely<DB>;
/** For functions that must run in a transaction. */
export type Trx = Transaction<DB>;

/**
 * Everything of an installation is in one schema, so that several can share a database. Its name travels in
 * the URL of the database, as `?schema=`.
 */
export const defaultSchema = 'public';
export const schemaOf = (url: string): string => /[?&]schema=([a-z][a-z0-9_]*)/.exec(url)?.[1] ?? defaultSchema;
export const urlOfSchema = (url: string, schema: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`;
/** A name that another installation on the same database does not have. */
export const ownName = (schema: string, own: string, shared: string): string =>
  schema === defaultSchema ? shared : `${schema}_${own}`;

/** An empty schema of this name says that a restore into `schema` has begun and not ended. */
export const unfinishedRestore = (schema: string): string => `${schema}_unfinished_restore`;

const processId = randomUUID().replaceAll('-', '').slice(16);
/** Of the processes of one installation. Postgres cuts the whole name off after 63 characters. */
const kindOf = (schema: string) =>
  schema === defaultSchema ? 'atelier' : `atelier-${createHash('sha256').update(schema).digest('hex').slice(0, 8)}`;
const processName = (schema: string) => `${kindOf(schema)} ${processId}`;

/** A plan made while tables are small must still use indexes later. */
const planSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};
/** What a server or a role may have set otherwise. Times are in UTC (`isoTime`). */
const expectedSettings = (schema: string) => ({
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  search_path: schema,
  default_transaction_isolation: 'read committed',
});
const idleInTransaction = 10_000;

/** The settings of every connection that serves requests, as `pg_settings` has them. */
export const sessionSettings = (
  schema: string,
  limits: StoreDeadlines['database'] = deadlines.database,
): Record<string, string> => ({
  ...planSettings,
  ...expectedSettings(schema),
  statement_timeout: String(limits.statement),
  idle_in_transaction_session_timeout: String(idleInTransaction),
});

const asOptions = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');

export const planning = (schema: string): string => asOptions({ ...planSettings, ...expectedSettings(schema) });
/** Of no effect: whether it arrives tells whether a pooler drops the settings. */
export const arrival = 'atelier.settings';
/** Migrations take as long as they need, whatever limit the role has. */
const patience = (schema: string) =>
  asOptions({ ...expectedSettings(schema), statement_timeout: '0', lock_timeout: '0', [arrival]: 'sent' });

/**
 * `patient`: no time limit, for migrations. `pooled`: through a pooler, which takes no settings: the role has
 * them. `instanceTag`: identifies processes of the service, with
 * their secret and their storage.
 */
type Terms = { patient?: boolean; pooled?: boolean; instanceTag?: string; limits?: StoreDeadlines['database'] };

/** A bounded pool. `onLost` is told about idle connections that die; without it the process would die too. */
export function createPool(
  url: string,
  size: number,
  onLost: (error: Error) => void,
  { patient = false, pooled = false, instanceTag = '', limits = deadlines.database }: Terms = {},
): pg.Pool {
  const schema = schemaOf(url);
  const settings = {
    ...(patient ? { options: patience(schema) } : { options: planning(schema), statement_timeout: limits.statement }),
    idle_in_transaction_session_timeout: idleInTransaction,
    application_name: `${processName(schema)} ${instanceTag}`.trim(),
  };
  const pool = new Pool({
    servers: Servers.of(url),
    max: size,
    connectionTimeoutMillis: limits.connect,
    ...(patient ? {} : { query_timeout: limits.answer }),
    ...(pooled ? {} : settings),
  });
  pool.on('error', onLost);
  return pool;
}

export const dbOn = (pool: pg.Pool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });

export const createDb = (url: string, size: number, onLost: (error: Error) => void, terms: Terms = {}): Db =>
  dbOn(createPool(url, size, onLost, terms));

export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  if (!rows[0]) throw new Error('The database has no time.');
  return rows[0].now;
}

/** `storageTag`: empty of a process of 0.2.0. */
export type Instance = { processId: string; instanceTag: string; storageTag: string };

/**
 * Other processes of this installation. Those of another one on the database have another kind of name. The
 * connection that asks may have none: a pooler drops it.
 */
export async function otherProcesses(db: Db | Trx): Promise<Instance[]> {
  const { rows: here } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  const schema = here[0]?.schema ?? defaultSchema;
  const { rows } = await sql<Instance>`
    select distinct split_part(application_name, ' ', 2) as "processId",
      split_part(application_name, ' ', 3) as "instanceTag", split_part(application_name, ' ', 4) as "storageTag"
    from pg_stat_activity
    where datname = current_database()
      and application_name like ${`${kindOf(schema)} % %`}
      and application_name not like ${`${processName(schema)} %`}`.execute(db);
  return rows;
}

export const otherInstances = async (db: Db): Promise<string[]> => [
  ...new Set((await otherProcesses(db)).map(({ instanceTag }) => instanceTag)),
];

const channels = ['events', 'mail', 'posters'] as const;
type Channel = (typeof channels)[number];
type Topics = Record<Channel, Set<string>>;
type Listener = (topics: Iterable<string>) => void;

const announced = new WeakMap<Db | Trx, Topics>();
const perChannel = <Value>(value: () => Value): Record<Channel, Value> => ({
  events: value(),
  mail: value(),
  posters: value(),
});
const listeners = perChannel(() => new WeakMap<Db, Listener>());

export const listenToCommits = (db: Db, listener: Listener, channel: Channel = 'events') =>
  listeners[channel].set(db, listener);

/** Announces a change. In a transaction the listener hears it after the commit, or never after a rollback. */
export function announce(db: Db | Trx, topic: string, channel: Channel = 'events'): void {
  const topics = announced.get(db);
  if (topics) topics[channel].add(topic);
  else if (db.isTransaction) throw new Error('A transaction that announces is begun by transact.');
  else tell(db, channel, [topic]);
}

export async function transact<Answer>(db: Db, run: (trx: Trx) => Promise<Answer>): Promise<Answer> {
  const topics = perChannel(() => new Set<string>());
  const answer = await db.transaction().execute((trx) => {
    announced.set(trx, topics);
    return run(trx);
  });
  for (const channel of channels) if (topics[channel].size > 0) tell(db, channel, topics[channel]);
  return answer;
}

/** What a listener starts is not part of the request: it continues even if the request is refused. */
const tell = (db: Db | Trx, channel: Channel, topics: Iterable<string>) =>
  doSharedWork(() => listeners[channel].get(db)?.(topics));

/** Locks the account's counters, so that counted changes happen one after the other. */
export const lockCounters = (trx: Trx, accountId: string) =>
  trx
    .selectFrom('account_counters')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute();

/**
 * For a request of the account: one that waited while the account was closed is refused, so that nothing is
 * written into a closed account. The statement that waits reads what was there before, so another one looks.
 */
export async function lockAccount(trx: Trx, accountId: string): Promise<void> {
  await lockCounters(trx, accountId);
  if (await isClosed(trx, accountId))
    throw new Refusal('no_active_account', { message: 'The account was closed in the meantime.' });
}

/** Only a closed account has neither members nor imported people: the last owner cannot leave another one. */
export async function isClosed(db: Db | Trx, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from members where account_id = ${accountId}
    union all select from imported_people where account_id = ${accountId} limit 1`.execute(db);
  return rows.length === 0;
}
