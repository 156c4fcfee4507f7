import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { setTimeout as wait } from 'node:timers/promises';
import type { DB } from '../tables.ts';
import { findHolderBefore, wordsOfHolder } from './lock-holders.ts';
import { type MigrationFile, readMigrationFiles, statementsOf } from './migration-files.ts';
import { createHistory, recordChecksums, recordFailure, refuseForeignHistory } from './migration-history.ts';
import { createPool, type Db, schemaOf, transact, type Trx } from './pool.ts';
import { deadlines } from '../lib/deadlines.ts';
import { wordsOf } from './servers.ts';

/** That of Kysely, so that a process of an earlier version waits, too. */
const lock = sql.lit(3853314791062309107n);

/** Kysely's own lock belongs to the session, and a pooler gives the session to somebody else. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}

class Dialect extends PostgresDialect {
  override createAdapter = () => new Adapter();
}

/** Requests that wait behind a migration have 2.5 s. So it waits less for a lock, and tries again. */
const lockTimeout = sql.lit('1s');
const [attempts, restFor, lookEvery] = [40, 2_000, 300];
const isLockTimeout = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === '55P03';

type Say = (line: string) => void;
type Session = { pid: number | null };

/**
 * Applies all pending migrations in one transaction, under a lock that ends with it, so that processes can
 * start together. Refuses a database that a newer version has migrated. Tells `say` what it waits for.
 */
export async function migrate(databaseUrl: string, say: Say = () => {}, files?: MigrationFile[]): Promise<string[]> {
  const pool = createPool(databaseUrl, 2, () => {}, { patient: true });
  const db = new Kysely<DB>({ dialect: new Dialect({ pool }) });
  const allFiles = files ?? (await readMigrationFiles());
  const session: Session = { pid: null };
  const stopSaying = sayWhoHolds(db, session, say);
  try {
    for (let attempt = 1; ; attempt++)
      try {
        return await transact(db, (trx) => migrateIn(trx, schemaOf(databaseUrl), allFiles, session));
      } catch (error) {
        if (!isLockTimeout(error) || attempt === attempts) throw error;
        await wait(restFor * Math.random());
      }
  } catch (error) {
    if (error instanceof FailedMigration) await recordFailure(db, error.message).catch(() => {});
    throw error;
  } finally {
    await stopSaying();
    await db.destroy();
  }
}

/** A look sees the holder only while a statement waits, so looks are more frequent than words. */
function sayWhoHolds(db: Db, session: Session, say: Say): () => Promise<void> {
  const stopping = new AbortController();
  const sayUntilStopped = async () => {
    for (let next = performance.now() + deadlines.start.say; !stopping.signal.aborted;) {
      await wait(lookEvery, undefined, { signal: stopping.signal }).catch(() => {});
      if (performance.now() < next || session.pid === null) continue;
      const holder = await findHolderBefore(db, session.pid).catch(() => undefined);
      if (!holder) continue;
      say(`The migrations wait for a lock. ${wordsOfHolder(holder)}`);
      next = performance.now() + deadlines.start.say;
    }
  };
  const saying = sayUntilStopped();
  return async () => {
    stopping.abort();
    await saying;
  };
}

/** Asked first, because a role without the right to create schemas may have one. */
async function createSchema(trx: Trx, schema: string): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from pg_namespace where nspname = ${schema}) as exists`.execute(trx);
  if (!rows[0]?.exists) await sql`create schema ${sql.id(schema)}`.execute(trx);
}

async function migrateIn(
  trx: Trx,
  schema: string,
  files: readonly MigrationFile[],
  session: Session,
): Promise<string[]> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  session.pid = rows[0]?.pid ?? null;
  await sql`select pg_advisory_xact_lock(${lock})`.execute(trx);
  await createSchema(trx, schema);
  await createHistory(trx);
  await refuseForeignHistory(trx, files);
  await sql`set local lock_timeout = ${lockTimeout}`.execute(trx);
  const migrations = Object.fromEntries(
    files.map(({ name, text }) => [
      name,
      {
        // One at a time, because Citus takes a text of several for one statement.
        async up(db: Kysely<unknown>) {
          for (const statement of statementsOf(text))
            await sql
              .raw(statement)
              .execute(db)
              .catch((cause: unknown) => {
                throw new FailedMigration(name, text, statement, cause);
              });
        },
      },
    ]),
  );
  const { error, results = [] } = await new Migrator({
    db: trx,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableSchema: schema,
  }).migrateToLatest();
  if (error instanceof FailedMigration) throw error;
  if (error) throw new Error(`A migration failed: ${wordsOf(error)}`, { cause: error });
  const done = results.map(({ migrationName }) => migrationName);
  await recordChecksums(
    trx,
    files.filter(({ name }) => done.includes(name)),
  );
  if (done.length > 0) await recordFailure(trx, null);
  return done;
}

/** Names the line of the statement in its file, and how it begins. */
class FailedMigration extends Error {
  constructor(name: string, text: string, statement: string, cause: unknown) {
    const { position = '1' } = Object(cause) as { position?: string };
    const [words, start] = [statement.replace(/^(?:\s|--.*\n)+/, ''), text.indexOf(statement)];
    const at = Math.max(start + statement.length - words.length, start + Number(position) - 1);
    const line = text.slice(0, at).split('\n').length;
    const begins = words.replaceAll(/\s+/g, ' ').slice(0, 200);
    super(`${name}.sql failed in line ${line}: ${wordsOf(cause)}. The statement: ${begins}`, { cause });
  }
}
