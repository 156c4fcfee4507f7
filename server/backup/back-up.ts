import { sql } from 'kysely';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { countRows } from '../check/check-database.ts';
import { type Db, databaseTime, schemaOf } from '../db/pool.ts';
import { copyCluster } from '../embedded-postgres/copy-cluster.ts';
import { syncFolder } from '../embedded-postgres/home.ts';
import { checkStorage } from '../files/installation.ts';
import type { Storage } from '../files/storage.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { copyObjects } from './files.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { dumpOwn, readServer } from './own-database.ts';
import { PartWriter, refuseUnlessRecipient } from './parts.ts';
import { orFull, Unusable } from './unusable.ts';

/** `embedded`: the data folder of the embedded Postgres, or null for a Postgres of the operator. */
export type Installation = {
  db: Db;
  url: string;
  publicUrl: string;
  storage: Storage;
  embedded: string | null;
  bin: string | null;
  keyIds: readonly string[];
};

/**
 * Into the first of `targets` that is not there. Under a temporary name until it is complete. The database
 * first: a file without a row is harmless.
 */
export async function backUp(
  installation: Installation,
  targets: readonly [string, ...string[]],
  { version, recipient }: { version: string; recipient: string | null },
): Promise<{ folder: string; manifest: Manifest }> {
  if (recipient !== null) refuseUnlessRecipient(recipient);
  if (targets.every((target) => existsSync(target))) throw existsAlready(targets[0]);
  const refused = await checkStorage(installation);
  if (refused?.unusable) throw new Unusable(refused.message, refused.action);
  const above = dirname(resolve(targets[0]));
  makeFolder(above);
  const unfinished = mkdtempSync(join(above, `${basename(targets[0])}.unfinished-`));
  try {
    const written = await writeAll(installation, new PartWriter(unfinished, recipient), version);
    const manifest = { ...written, encrypted: recipient !== null };
    await writeManifest(unfinished, manifest);
    syncFolder(unfinished);
    const folder = place(unfinished, targets);
    syncFolder(above);
    return { folder, manifest };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    return orFull(above, 'Nothing is left of this backup. Free space there, or name a folder on another disk.')(error);
  }
}

const existsAlready = (target: string) =>
  new Unusable(`${target} exists already.`, 'Name a new folder for each backup.');

/** Another backup may have taken a name meanwhile. A folder with content is never replaced. */
function place(unfinished: string, targets: readonly [string, ...string[]]): string {
  for (const target of targets.filter((name) => !existsSync(name)))
    try {
      renameSync(unfinished, target);
      return target;
    } catch (error) {
      if (!existsSync(target)) throw error;
    }
  throw existsAlready(targets[0]);
}

async function writeAll(installation: Installation, parts: PartWriter, version: string): Promise<Manifest> {
  const { db, url, publicUrl, storage, embedded, keyIds } = installation;
  const began = await databaseTime(db);
  const server = await readServer(db);
  const migration = await newestMigration(db);
  const rows = await countRows(db);
  const folders = embedded === null ? [] : await backUpCluster(embedded, parts);
  if (embedded === null) await dumpOwn(installation, parts);
  const objects = await copyObjects(storage, parts);
  return {
    format: 1,
    atelier: version,
    created_at: began.toISOString(),
    origin: { public_url: publicUrl, database: server.database },
    migration,
    postgres: {
      kind: embedded === null ? 'own' : 'embedded',
      version: server.version,
      schema: schemaOf(url),
      role: server.role,
    },
    secret_key_ids: [...keyIds],
    rows,
    objects,
    bytes: parts.bytes,
    encrypted: false,
    folders,
    sums: await parts.writeSums(),
  };
}

async function backUpCluster(dataDir: string, parts: PartWriter): Promise<string[]> {
  const { folders } = await copyCluster(dataDir, (name, bytes) => parts.write(`cluster/${name}`, bytes));
  return folders;
}

async function newestMigration(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
  return rows[0]?.name ?? '';
}
