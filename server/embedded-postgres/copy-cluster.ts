import * as fs from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { makeFolder } from '../lib/make-folder.ts';
import { findHome, giveTo, installedBinaries, type PostgresHome, syncFolder } from './home.ts';
import { asSuperuser } from './process.ts';

/** Their content belongs to the running server: `pg_basebackup` leaves the same out. */
const emptied = /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
const leftOut =
  /^(?:postmaster\.(?:pid|opts)|backup_label.*|tablespace_map.*)$|(?:^|\/)(?:pgsql_tmp|pg_internal\.init)/;
const lastOfAll = 'global/pg_control';

/** A checkpoint may have to write all of `shared_buffers` to a busy disk. */
const patience = 600_000;

type Write = (name: string, bytes: Readable) => Promise<void>;

/** Copies the cluster of a running Postgres, so that a start from the copy recovers to the end of copying. */
export async function copyCluster(dataDir: string, write: Write): Promise<{ folders: string[] }> {
  const home = findHome(fs.realpathSync(dataDir), () => {});
  return asSuperuser(home, async (client) => {
    // Keeps the log of the whole copy, and ends with this session.
    await client.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`);
    const first = await walFile(client, `pg_backup_start('atelier', true)`);
    const { folders, files } = await listCluster(home.cluster);
    for (const name of [...files, lastOfAll]) await copyFile(home.cluster, name, write);
    const stop = {
      text: 'select pg_walfile_name(lsn) as file, labelfile from pg_backup_stop(false)',
      query_timeout: patience,
    };
    const { rows } = await client.query<{ file: string; labelfile: string }>(stop);
    const { file: last = '', labelfile = '' } = rows[0] ?? {};
    await write('backup_label', Readable.from([Buffer.from(labelfile)]));
    const logs = (await readdir(join(home.cluster, 'pg_wal'))).filter((name) => /^[\dA-F]{24}$/.test(name));
    for (const name of logs.filter((log) => log >= first && log <= last))
      await copyFile(home.cluster, `pg_wal/${name}`, write);
    return { folders };
  });
}

async function walFile(client: Client, lsn: string): Promise<string> {
  const question = { text: `select pg_walfile_name(${lsn}) as file`, query_timeout: patience };
  const { rows } = await client.query<{ file: string }>(question);
  return rows[0]?.file ?? '';
}

async function listCluster(cluster: string): Promise<{ folders: string[]; files: string[] }> {
  const entries = await readdir(cluster, { recursive: true, withFileTypes: true });
  const named = entries.map((entry) => ({ entry, name: relative(cluster, join(entry.parentPath, entry.name)) }));
  const copied = named.filter(({ name }) => !leftOut.test(name) && name !== lastOfAll);
  return {
    folders: copied.filter(({ entry, name }) => entry.isDirectory() && !isIn(name)).map(({ name }) => name),
    files: copied.filter(({ entry, name }) => entry.isFile() && !emptied.test(name)).map(({ name }) => name),
  };
}

/** Folders of `pg_wal` are needed, those of replication slots are not. */
const isIn = (folder: string) => emptied.test(folder) && !folder.startsWith('pg_wal/');

/** A table may be dropped during the copy; the log then records it, too. */
async function copyFile(cluster: string, name: string, write: Write): Promise<void> {
  const handle = await open(join(cluster, name)).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle) await write(name, handle.createReadStream());
}

export function hasCluster(dataDir: string): boolean {
  const pointer = join(dataDir, 'postgres-home');
  return fs.existsSync(pointer) || fs.existsSync(join(dataDir, 'postgres', 'cluster'));
}

/** The version of Postgres that the cluster of a data folder would run on. */
export function embeddedVersion(): number {
  const { version } = JSON.parse(fs.readFileSync(join(installedBinaries(), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return Number.parseInt(version, 10);
}

type Copied = { folders: readonly string[]; files: readonly string[]; read(name: string): Promise<Readable> };

/** In a cluster that was placed and never started. Its start makes the mark in the database from it. */
export const placedMark = 'atelier-placed';

/** Renamed when complete, so that the next start finds a whole cluster or none. */
export async function placeCluster(
  dataDir: string,
  { folders, files, read }: Copied,
  print: (line: string) => void,
): Promise<void> {
  makeFolder(dataDir, 0o711);
  const home = findHome(fs.realpathSync(dataDir), print);
  const unfinished = fs.mkdtempSync(`${home.cluster}.unfinished-`);
  try {
    giveTo(home.runAs, unfinished);
    for (const name of folders.toSorted()) {
      fs.mkdirSync(join(unfinished, name), { mode: 0o700 });
      giveTo(home.runAs, join(unfinished, name));
    }
    for (const name of files) await placeFile(home, join(unfinished, name), await read(name));
    await placeFile(home, join(unfinished, placedMark), Readable.from(['']));
    for (const name of folders) syncFolder(join(unfinished, name));
    fs.renameSync(unfinished, home.cluster);
    syncFolder(home.directory);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function placeFile(home: PostgresHome, path: string, bytes: Readable): Promise<void> {
  await pipeline(bytes, fs.createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  giveTo(home.runAs, path);
}
