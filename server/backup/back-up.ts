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
import { Unusable } from './unusable.ts';

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

/** Under a temporary name until it is complete. The database first: a file without a row is harmless. */
export async function backUp(
  installation: Installation,
  target: string,
  { version, recipient }: { version: string; recipient: string | null },
): Promise<Manifest> {
  if (recipient !== null) refuseUnlessRecipient(recipient);
  if (existsSync(target)) throw new Unusable(`${target} exists already.`, 'Name a new folder for each backup.');
  const refused = await checkStorage(installation);
  if (refused?.unusable) throw new Unusable(refused.message, refused.action);
  const above = dirname(resolve(target));
  makeFolder(above);
  const unfinished = mkdtempSync(join(above, `${basename(target)}.unfinished-`));
  try {
    const manifest = await writeAll(installation, new PartWriter(unfinished, recipient), version);
    await writeManifest(unfinished, { ...manifest, encrypted: recipient !== null });
    syncFolder(unfinished);
    renameSync(unfinished, target);
    syncFolder(above);
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
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
