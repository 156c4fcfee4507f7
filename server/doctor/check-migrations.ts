import { readMigrationFiles } from '../db/migration-files.ts';
import { readApplied, readFailure } from '../db/migration-history.ts';
import type { Db } from '../db/pool.ts';
import { fail, type Finding, ok } from './run-checks.ts';

export async function checkMigrations(db: Db): Promise<Finding> {
  const texts = new Map((await readMigrationFiles()).map(({ name, sha256 }) => [name, sha256]));
  const [names, history] = [[...texts.keys()], await readApplied(db)];
  const applied = history.map(({ name }) => name);
  const newer = applied.filter((name) => !texts.has(name));
  if (newer.length > 0)
    return fail(
      `A newer version has migrated the database: ${newer.join(', ')}.`,
      'Run that version, here and as the service, or restore a backup from before.',
    );
  const pending = names.filter((name) => !applied.includes(name));
  if (pending.length > 0) {
    const failure = history.length > 0 ? await readFailure(db) : null;
    return fail(
      `${pending.length} of ${names.length} migrations are pending, from ${pending[0]} on.${failure ? ` The last try: ${failure}.` : ''}`,
      'Restart the service with this version, or run: npm run admin -- migrate',
    );
  }
  const changed = history.filter(({ name, sha256 }) => texts.get(name) !== sha256);
  if (changed.length > 0)
    return fail(
      `Migrations have another text than the one that made this database: ${changed.map(({ name }) => name).join(', ')}.`,
      'Restore the files of the release: a start refuses these.',
    );
  return ok(`All ${names.length} migrations are applied.`);
}
