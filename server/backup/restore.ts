import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { restartFeed } from '../events/restart-feed.ts';
import { embeddedVersion, hasCluster, placeCluster } from '../embedded-postgres/copy-cluster.ts';
import { adoptStorage, haltSweeps } from '../files/installation.ts';
import type { Storage } from '../files/storage.ts';
import { type Db, schemaOf, unfinishedRestore } from '../db/pool.ts';
import { migrate } from '../db/migrate.ts';
import { migrationNames } from '../db/migration-files.ts';
import { becomeCopy } from './copy.ts';
import { placeObjects, refuseObjects } from './files.ts';
import { type Manifest, type Origin, readManifest, refuseUnfit, refuseOtherOrigin } from './manifest.ts';
import { type Own, refuseTables, restoreOwn } from './own-database.ts';
import { PartReader } from './parts.ts';
import { Unusable } from './unusable.ts';

export type Backup = { manifest: Manifest; parts: PartReader };

/** `place`: where the backup has to be from; null if it may be from anywhere. */
export type Terms = { otherKey: boolean; identity: string | null; place: Origin | null };
type Here = { kind: 'embedded' | 'own'; keyIds: readonly string[] };

/** Reads and judges the whole backup. Changes nothing. */
export async function openBackup(
  folder: string,
  { kind, keyIds, otherKey, identity, place }: Terms & Here,
): Promise<Backup> {
  const manifest = await readManifest(folder);
  if (manifest.encrypted && identity === null)
    throw new Unusable('The backup is encrypted.', 'Pass the file with its age identity in --identity.');
  const missing = refuseUnfit(manifest, { migrations: await migrationNames(), kind, keyIds });
  if (missing.length > 0 && !otherKey) throw wrongKey(missing);
  if (place) refuseOtherOrigin(manifest, place);
  const parts = await PartReader.open(folder, manifest.sums, manifest.encrypted ? identity : null);
  await parts.verify();
  return { manifest, parts };
}

const wrongKey = (missing: readonly string[]) =>
  new Unusable(
    `SECRET_KEY is not the key of the backup: ${missing.join(' and ')} is missing.`,
    'Set SECRET_KEY (of a trial: the file secret-key in DATA_DIR) to the key that you kept apart. If it is lost, ' +
      '--other-secret-key goes on: webhook secrets and second factors can then not be read, and everybody must sign in again.',
  );

/** Into a data folder without a database. The start recovers it to the end of the backup. */
export async function restoreCluster(
  { manifest, parts }: Backup,
  dataDir: string,
  print: (line: string) => void,
): Promise<void> {
  refuseCluster(manifest, dataDir);
  const place = 'cluster/';
  const files = parts.names.filter((name) => name.startsWith(place)).map((name) => name.slice(place.length));
  const read = (name: string) => parts.read(place + name);
  await placeCluster(dataDir, { folders: manifest.folders, files, read }, print);
}

export function refuseCluster({ postgres }: Manifest, dataDir: string): void {
  if (hasCluster(dataDir))
    throw new Unusable(`${dataDir} has a database already.`, 'Name another folder in DATA_DIR, or move that away.');
  if (postgres.version !== embeddedVersion())
    throw new Unusable(
      `The backup is of Postgres ${postgres.version}, and this code comes with ${embeddedVersion()}.`,
      'Restore it with the version of Atelier that made it.',
    );
}

export async function restoreDatabase({ manifest, parts }: Backup, own: Own): Promise<void> {
  await refuseTables(own);
  await sql`create schema if not exists ${sql.id(unfinishedRestore(schemaOf(own.url)))}`.execute(own.db);
  await restoreOwn(own, parts, manifest.postgres);
}

async function restoreObjects({ parts }: Backup, storage: Storage): Promise<number> {
  await refuseObjects(storage);
  const staging = await mkdtemp(join(tmpdir(), 'atelier-restore-'));
  try {
    return await placeObjects(storage, parts, staging);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

type Restored = { db: Db; storage: Storage; asCopy: boolean };

/**
 * Brings the schema up to date, places the files, adopts the storage, halts sweeps, and renumbers the logs. A
 * copy becomes one before its files are placed, which takes long. Until the end no service starts on it.
 */
export async function finishRestore(backup: Backup, url: string, { db, storage, asCopy }: Restored): Promise<number> {
  await migrate(url);
  if (asCopy) await becomeCopy(db);
  await restoreObjects(backup, storage);
  await adoptStorage({ db, storage });
  await haltSweeps(db);
  const accounts = await restartFeed(db);
  await sql`drop schema if exists ${sql.id(unfinishedRestore(schemaOf(url)))}`.execute(db);
  return accounts;
}
