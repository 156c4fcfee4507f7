import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Db } from './pool.ts';

const folder = new URL('../../migrations/', import.meta.url);

const readNames = async () => (await readdir(folder)).filter((name) => name.endsWith('.sql'));

export const migrationNames = async () => (await readNames()).map((name) => name.replace('.sql', ''));

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = await readNames();
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
  return Object.fromEntries(
    files.map((name, index) => [
      name.replace('.sql', ''),
      { up: async (db) => void (await sql.raw(texts[index] ?? '').execute(db)) },
    ]),
  );
}

/** An error for several addresses has no message of its own, so join theirs. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join(', ');
  return error instanceof Error ? error.message : 'unknown error';
}

/** Applies all pending migrations in one transaction, under a lock, so that processes can start together. */
export async function migrate(db: Db): Promise<string[]> {
  await sql`select`.execute(db).catch((cause: unknown) => {
    throw new Error(`The database cannot be used: ${wordsOf(cause)}. Check DATABASE_URL, and that Postgres runs.`, {
      cause,
    });
  });
  const { error, results = [] } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
  if (error) throw new Error(`A migration failed: ${wordsOf(error)}`, { cause: error });
  return results.map((result) => result.migrationName);
}
