import { sql } from 'kysely';
import { version } from '../lib/version.ts';
import type { MigrationFile } from './migration-files.ts';
import type { Db, Trx } from './pool.ts';

type Applied = { name: string; sha256: string | null; version: string | null };

/** Which text of each migration ran, and the version that ran it. */
export const createHistory = (trx: Trx) =>
  sql`
  create table if not exists migration_checksums (
    name text primary key,
    sha256 text not null,
    version text not null,
    applied_at timestamptz(3) not null default now()
  )`.execute(trx);

/** Refuses a database that a newer version or other migrations have made. */
export async function refuseForeignHistory(trx: Trx, files: readonly MigrationFile[]): Promise<void> {
  const applied = await readApplied(trx);
  const texts = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  const newer = applied.filter(({ name }) => !texts.has(name));
  if (newer.length > 0) {
    const last = newer.findLast((row) => row.version !== null)?.version;
    throw new Error(
      `The database has migrations that version ${version} does not know: ${newer.map(({ name }) => name).join(', ')}. ` +
        `Start ${last ? `version ${last}` : 'the version that made them'} or a newer one.`,
    );
  }
  const unreleased = applied.filter(({ sha256 }) => sha256 === null);
  if (unreleased.length > 0)
    throw new Error(
      'The database was made before the first release, by migrations that have changed since. ' +
        'Start with an empty database.',
    );
  const changed = applied.filter(({ name, sha256 }) => texts.get(name) !== sha256);
  if (changed.length > 0)
    throw new Error(
      `Migrations have another text than the one that made this database: ${changed.map(({ name }) => `${name}.sql`).join(', ')}. ` +
        'Restore the files of the release: migrations are never changed.',
    );
}

/** Without checksums: of a database from before the first release. */
export async function readApplied(db: Db | Trx): Promise<Applied[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (!rows[0]?.exists) return [];
  const applied = await sql<Applied>`
    select m.name, c.sha256, c.version from kysely_migration m left join migration_checksums c on c.name = m.name
    order by m.name`.execute(db);
  return applied.rows;
}

export async function recordChecksums(trx: Trx, done: readonly MigrationFile[]): Promise<void> {
  for (const { name, sha256 } of done)
    await sql`
      insert into migration_checksums (name, sha256, version) values (${name}, ${sha256}, ${version})`.execute(trx);
}

/** For doctor, because the failed transaction leaves nothing. The first migrations have no table yet. */
export const recordFailure = (db: Db | Trx, words: string | null) =>
  sql`comment on table kysely_migration is ${words === null ? sql`null` : sql.lit(words)}`.execute(db);

export async function readFailure(db: Db): Promise<string | null> {
  const { rows } = await sql<{ words: string | null }>`
    select obj_description('kysely_migration'::regclass, 'pg_class') as words`.execute(db);
  return rows[0]?.words ?? null;
}
