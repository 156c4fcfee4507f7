import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process has the folder; the message names it. */
export class FolderInUse extends Error {}

// A lock that nothing refers to would be collected, and with that released.
const held = new Set<DatabaseSync>();

/**
 * Takes `folder` for this process and returns the release; throws, naming the holder, where another process has it.
 * SQLite is here only for its file lock, which Node does not offer itself: the kernel drops it with the process, so
 * that kill -9 leaves nothing to clear up, a reused pid deceives nobody, and containers on one volume see each other.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'service.lock');
  const pidFile = join(folder, 'service.pid');
  // Only where it is missing: to close any handle of a locked file drops the lock of the whole process.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  // SQLite's own message names no file.
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
  held.add(lock);
  writeFileSync(pidFile, `${process.pid}\n`);
  return () => {
    if (held.delete(lock)) lock.close();
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
