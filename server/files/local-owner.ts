import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, missing, sync, unlessThere } from './local-objects.ts';
import { ownerKey, storageDown } from './storage.ts';

export async function readOwner(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, ownerKey), 'utf8');
  } catch (error) {
    if (missing(error)) return null;
    throw storageDown(error);
  }
}

/** Writes a temporary file, then links it if there must be none yet, or renames it. */
export async function writeOwner(folder: string, text: string, replace: boolean): Promise<void> {
  const temporary = join(folder, 'tmp', randomUUID());
  try {
    await makeFolder(join(folder, 'tmp'));
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    if (replace) await rename(temporary, join(folder, ownerKey));
    else await link(temporary, join(folder, ownerKey)).catch(unlessThere);
    await rm(temporary, { force: true });
    await sync(folder);
  } catch (error) {
    throw storageDown(error);
  }
}
