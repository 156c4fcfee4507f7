import { sql } from 'kysely';
import { migrationNames } from '../db/migration-files.ts';
import type { Db } from '../db/pool.ts';
import { fail, type Finding, ok } from './finding.ts';

export async function checkMigrations(db: Db): Promise<Finding> {
  const [names, applied] = [(await migrationNames()).toSorted(), await readApplied(db)];
  const newer = applied.filter((name) => !names.includes(name));
  if (newer.length > 0)
    return fail(
      `A newer version has migrated the database: ${newer.join(', ')}.`,
      'Run that version, here and as the service, or restore a backup from before.',
    );
  const pending = names.filter((name) => !applied.includes(name));
  if (pending.length > 0)
    return fail(
      `${pending.length} of ${names.length} migrations are pending, from ${pending[0]} on.`,
      'Restart the service with this version, or run: npm run admin -- migrate',
    );
  return ok(`All ${names.length} migrations are applied.`);
}

async function readApplied(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db);
  if (tables[0]?.there !== true) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
