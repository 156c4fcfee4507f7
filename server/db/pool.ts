import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { deadlines, type StoreDeadlines } from '../lib/deadlines.ts';
import type { DB } from '../tables.ts';
import { refuseWork } from '../http/work.ts';

export type Db = Kysely<DB>;
/** For functions that must run in a transaction. */
export type Trx = Transaction<DB>;

const processName = `atelier ${randomUUID()}`;

/** Errors after which the connection cannot be used: the backend may be frozen or no longer accept writes. */
const isUseless = (error: Error & { code?: string }) =>
  error.message === 'Query read timeout' || error.code === '25006';

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

/** Counts migrations that changed a planned result: all statements get new names then. */
let schemaChanges = 0;
const isSchemaChange = (error: Error & { code?: string; routine?: string }) =>
  error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

function forgetPlans(): void {
  schemaChanges++;
  statementNames.clear();
}

/** A plan made while tables are small must still use indexes later. Times are in UTC (`isoTime`). */
export const planning =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_mergejoin=off -c jit=off -c max_parallel_workers_per_gather=0 -c timezone=UTC';

/** A useless connection is closed instead of going to the next caller. */
class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // A broken connection also fails its query. Without a listener it would end the process too.
    this.on('error', () => {});
  }

  // The overloads of the base class cannot be repeated. Callbacks and promises pass through unchanged.
  override query = ((...args: unknown[]) => {
    const [text, values, ...rest] = args;
    const refusal = typeof text === 'string' ? refuseWork(this, text) : null;
    if (refusal) return Promise.reject(refusal);
    const hasParameters = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const named = hasParameters ? [{ text, values, name: nameOf(text) }, ...rest] : args;
    const result = (super.query as (...args: unknown[]) => unknown).apply(this, named);
    if (result instanceof Promise)
      result.catch((error: Error) => {
        if (isUseless(error)) void this.end();
        if (isSchemaChange(error)) forgetPlans();
      });
    return result;
  }) as pg.Client['query'];
}

/** `patient`: no time limit, for migrations. `instanceTag`: identifies processes of the service. */
type Terms = { patient?: boolean; instanceTag?: string; limits?: StoreDeadlines['database'] };

/** A bounded pool. `onLost` is told about idle connections that die; without it the process would die too. */
export function createPool(
  url: string,
  size: number,
  onLost: (error: Error) => void,
  { patient = false, instanceTag = '', limits = deadlines.database }: Terms = {},
): pg.Pool {
  const ends = { query_timeout: limits.answer, statement_timeout: limits.statement };
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max: size,
    connectionTimeoutMillis: limits.connect,
    ...(patient ? {} : { ...ends, options: planning }),
    idle_in_transaction_session_timeout: 10_000,
    application_name: `${processName} ${instanceTag}`.trim(),
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

export async function otherInstances(db: Db): Promise<string[]> {
  const { rows } = await sql<{ instanceTag: string }>`
    select distinct split_part(application_name, ' ', 3) as "instanceTag"
    from pg_stat_activity
    where datname = current_database()
      and application_name like 'atelier % %' and application_name not like ${`${processName} %`}`.execute(db);
  return rows.map(({ instanceTag }) => instanceTag);
}
