import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from '../tables.ts';

export type Db = Kysely<DB>;
/** What must run in a transaction takes this type. */
export type Trx = Transaction<DB>;

/** A connection that waits longer than this, in milliseconds, is answered 503 rather than left hanging. */
const connectWithin = 3_000;
const answerWithin = 5_000;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The pool that the whole process shares. `onLost` hears of an idle connection that died; without a listener the process would. */
export function openDb(url: string, size: number, onLost: (error: Error) => void): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectWithin,
    query_timeout: answerWithin,
    application_name: 'atelier',
  });
  pool.on('error', onLost);
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
