import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { setTimeout as wait } from 'node:timers/promises';
import type { DB } from '../tables.ts';
import { type MigrationFile, readMigrationFiles, statementsOf } from './migration-files.ts';
import { createHistory, recordChecksums, refuseForeignHistory } from './migration-history.ts';
import { createPool, schemaOf, type Trx } from './pool.ts';
import { wordsOf } from './servers.ts';
import { transact } from './transact.ts';

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
const [attempts, restFor] = [40, 2_000];
const isLockTimeout = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === '55P03';

/**
 * Applies all pending migrations in one transaction, under a lock that ends with it, so that processes can
 * start together. Refuses a database that a newer version has migrated.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const pool = createPool(databaseUrl, 1, () => {}, { patient: true });
  const db = new Kysely<DB>({ dialect: new Dialect({ pool }) });
  const files = await readMigrationFiles();
  try {
    for (let attempt = 1; ; attempt++)
      try {
        return await transact(db, (trx) => migrateIn(trx, schemaOf(databaseUrl), files));
      } catch (error) {
        if (!isLockTimeout(error) || attempt === attempts) throw error;
        await wait(restFor * Math.random());
      }
  } finally {
    await db.destroy();
  }
}

/** Asked first, because a role without the right to create schemas may have one. */
async function createSchema(trx: Trx, schema: string): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (select from pg_namespace where nspname = ${schema}) as exists`.execute(trx);
  if (!rows[0]?.exists) await sql`create schema ${sql.id(schema)}`.execute(trx);
}

async function migrateIn(trx: Trx, schema: string, files: readonly MigrationFile[]): Promise<string[]> {
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
          for (const statement of statementsOf(text)) await sql.raw(statement).execute(db);
        },
      },
    ]),
  );
  const { error, results = [] } = await new Migrator({
    db: trx,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableSchema: schema,
  }).migrateToLatest();
  if (error) throw new Error(`A migration failed: ${wordsOf(error)}`, { cause: error });
  const done = results.map(({ migrationName }) => migrationName);
  await recordChecksums(
    trx,
    files.filter(({ name }) => done.includes(name)),
  );
  return done;
}
