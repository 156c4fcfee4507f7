import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Node's `recursive` never ends in /proc, where making any folder fails as if its parent were missing. */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!existsSync(path)) throw error; // another process made it
  }
}
