import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { deadlines } from '../lib/deadlines.ts';
import type { DB } from '../tables.ts';
import { refuseWork } from '../http/work.ts';

export type Db = Kysely<DB>;
/** What must run in a transaction takes this type. */
export type Trx = Transaction<DB>;

/** How this process is known to the database. */
const processName = `atelier ${randomUUID()}`;

/** After these whatever followed on the connection would fail too: the backend may be frozen, or no longer take writes. */
const isUseless = (error: Error & { code?: string }) =>
  error.message === 'Query read timeout' || error.code === '25006';

/**
 * A name for each statement with parameters, so that a connection parses and plans it once. Texts that are made for one
 * call, such as a list of many values, would fill the memory of Postgres: beyond `mostNames` they go without.
 */
const statementNames = new Map<string, string>();
const mostNames = 500;

function nameOf(text: string): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined || statementNames.size >= mostNames) return known;
  const name = `${schemaChanges}.${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

/** How often a migration was met that changed what a planned statement answers. Then all are planned again, by new names. */
let schemaChanges = 0;
const isSchemaChange = (error: Error & { code?: string; routine?: string }) =>
  error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

function forgetPlans(): void {
  schemaChanges++;
  statementNames.clear();
}

/**
 * Plans are made once per connection, perhaps while tables are small, and must hold when they are large: by index, whatever
 * the statistics say. Times are written in UTC, as answers show them (`isoTime`).
 */
export const planning =
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_mergejoin=off -c jit=off -c timezone=UTC';

/** A connection that is closed, not given to the next caller, once it has become useless. */
class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // One that breaks in use fails its query too. Without a listener it would end the process as well.
    this.on('error', () => {});
  }

  // The overloads of the base class cannot be repeated; callbacks and promises pass through unchanged.
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

/**
 * `patient`: statements may take as long as they need, as those of a migration do. `instanceTag`: a word by which processes that
 * serve this database know each other (`otherInstances`).
 */
type Terms = { patient?: boolean; instanceTag?: string };

/** A bounded pool. `onLost` hears of an idle connection that died; without a listener the process would die with it. */
export function createPool(
  url: string,
  size: number,
  onLost: (error: Error) => void,
  { patient = false, instanceTag = '' }: Terms = {},
): pg.Pool {
  const limits = { query_timeout: deadlines.database.answer, statement_timeout: deadlines.database.statement };
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max: size,
    connectionTimeoutMillis: deadlines.database.connect,
    ...(patient ? {} : { ...limits, options: planning }),
    idle_in_transaction_session_timeout: 10_000,
    application_name: `${processName} ${instanceTag}`.trim(),
  });
  pool.on('error', onLost);
  return pool;
}

export const dbOn = (pool: pg.Pool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });

export const createDb = (url: string, size: number, onLost: (error: Error) => void, terms: Terms = {}): Db =>
  dbOn(createPool(url, size, onLost, terms));

/** Now, by the one clock that all processes share. */
export async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  if (!rows[0]) throw new Error('The database has no time.');
  return rows[0].now;
}

/** The tags of other processes that serve this database. */
export async function otherInstances(db: Db): Promise<string[]> {
  const { rows } = await sql<{ instanceTag: string }>`
    select distinct split_part(application_name, ' ', 3) as "instanceTag"
    from pg_stat_activity
    where datname = current_database()
      and application_name like 'atelier % %' and application_name not like ${`${processName} %`}`.execute(db);
  return rows.map(({ instanceTag }) => instanceTag);
}
