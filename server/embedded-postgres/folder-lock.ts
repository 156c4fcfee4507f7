import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class FolderInUse extends Error {}

// Keeps a reference: a collected lock would be released.
const locks = new Set<DatabaseSync>();

/**
 * Locks `folder` for this process and returns the release. Throws, naming the holder, if another process has
 * the lock. SQLite is used only for its file lock, which Node does not offer: the kernel releases it with the
 * process, so kill -9 leaves nothing behind, a reused pid deceives nobody, and containers on one volume see
 * each other.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'service.lock');
  const pidFile = join(folder, 'service.pid');
  // Only if it is missing: closing any handle of a locked file drops the lock of the whole process.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  // SQLite's own message does not name the file.
  accessSync(file, constants.R_OK | constants.W_OK);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    const holder = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() : 'unknown';
    throw new FolderInUse(
      `${folder} is in use by another running service (process ${holder}). Stop that one, or give this one a folder of its own with DATA_DIR.`,
      { cause: error },
    );
  }
  locks.add(lock);
  writeFileSync(pidFile, `${process.pid}\n`);
  return () => {
    if (locks.delete(lock)) lock.close();
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
