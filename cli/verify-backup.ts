import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { markVerified } from '../server/backup/daily-backups.ts';
import { readServer } from '../server/backup/own-database.ts';
import { type Backup, restoreCluster, type Terms } from '../server/backup/restore.ts';
import { orFull, Unusable } from '../server/backup/unusable.ts';
import type { Checked } from '../server/check/check-database.ts';
import { createDb, type Db, schemaOf, urlOfSchema } from '../server/db/pool.ts';
import { Servers } from '../server/db/servers.ts';
import type { Config } from '../server/start/config.ts';
import { withDatabaseUrl } from './connection.ts';
import { type Io, print, wordsOf } from './output.ts';
import { fillPlace, openBackupFor } from './restored-backup.ts';
import { storageOf } from './storage.ts';

const folderName = 'atelier-verify-';
const databaseName = 'atelier_verify_';

/** Restores a backup into a temporary place, checks and removes that, and marks the backup. */
export async function verifyBackup(io: Io, config: Config, folder: string, terms: Terms): Promise<Checked> {
  const full = orFull(tmpdir(), 'Free space there, or name a folder with more space in TMPDIR.');
  const checked = await checkRestored(io, config, folder, terms).catch(full);
  if (checked.contradictions.length === 0)
    await markVerified(folder).catch((error) =>
      print(io, `It is verified, but could not be marked: ${wordsOf(error)}.`),
    );
  return checked;
}

async function checkRestored(io: Io, config: Config, folder: string, terms: Terms): Promise<Checked> {
  const backup = await openBackupFor(config, folder, terms);
  await removeLeftovers();
  const dataDir = await mkdtemp(join(tmpdir(), folderName));
  await chmod(dataDir, 0o711); // the embedded Postgres may run as another user
  try {
    const place = { ...config, dataDir, storage: { folder: join(dataDir, 'files') } };
    if (config.databaseUrl !== null) return await withTemporaryDatabase(io, config, (url) => check(place, backup, url));
    await restoreCluster(backup, dataDir, () => {});
    return await withDatabaseUrl(io, place, (url) => check(place, backup, url));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const leftAfter = 2 * 24 * 3_600_000;

/** Folders of verifications that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(folderName)) continue;
    const folder = await stat(join(tmpdir(), name)).catch(() => null); // another verification has just ended
    if (folder && Date.now() - folder.mtimeMs > leftAfter)
      await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Databases of verifications that were killed, by the time in their names. */
async function dropLeftovers(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select datname as name from pg_database
    where datname like ${`${databaseName.replaceAll('_', '\\_')}%`} and pg_get_userbyid(datdba) = current_user`.execute(
    db,
  );
  for (const { name } of rows)
    if (Date.now() - Number(name.slice(databaseName.length).split('_')[0]) > leftAfter)
      await sql`drop database if exists ${sql.id(name)} with (force)`.execute(db);
}

async function check(place: Config, backup: Backup, url: string): Promise<Checked> {
  const db = createDb(url, 2, () => {}, { patient: true });
  try {
    return (await fillPlace(place, backup, { db, url, storage: storageOf(place), asCopy: false })).checked;
  } finally {
    await db.destroy();
  }
}

async function withTemporaryDatabase<T>(io: Io, config: Config, use: (url: string) => Promise<T>): Promise<T> {
  return withDatabaseUrl(io, config, async (url) => {
    const db = createDb(url, 1, () => {}, { patient: true });
    const name = `${databaseName}${Date.now()}_${randomBytes(6).toString('hex')}`;
    try {
      const { may_create, role } = await readServer(db);
      if (!may_create)
        throw new Unusable(
          `The backup was not restored for a check: the role ${role} may not create a database.`,
          `Allow it (alter role ${role} createdb), or name another server in DATABASE_URL of restore --verify.`,
        );
      await dropLeftovers(db);
      await sql`create database ${sql.id(name)} template template0 encoding 'UTF8'`.execute(db);
      const address = new URL(Servers.of(url).next);
      address.pathname = `/${name}`;
      address.searchParams.delete('schema');
      return await use(urlOfSchema(address.href, schemaOf(url)));
    } finally {
      await sql`drop database if exists ${sql.id(name)} with (force)`.execute(db);
      await db.destroy();
    }
  });
}
