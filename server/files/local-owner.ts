import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, missing, sync, unlessThere } from './local-objects.ts';
import { ownerKey, probeKey, storageDown } from './storage.ts';

export async function readOwner(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, ownerKey), 'utf8');
  } catch (error) {
    if (missing(error)) return null;
    throw storageDown(error);
  }
}

export const probe = (folder: string): Promise<void> => writeText(folder, probeKey, 'This disk takes writes.\n', true);

export const writeOwner = (folder: string, text: string, replace: boolean): Promise<void> =>
  writeText(folder, ownerKey, text, replace);

/** Writes a temporary file, then links it if there must be none yet, or renames it. */
async function writeText(folder: string, name: string, text: string, replace: boolean): Promise<void> {
  const temporary = join(folder, 'tmp', randomUUID());
  try {
    await makeFolder(join(folder, 'tmp'));
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    if (replace) await rename(temporary, join(folder, name));
    else await link(temporary, join(folder, name)).catch(unlessThere);
    await rm(temporary, { force: true });
    await sync(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}); // leftovers are deleted by the sweep
    throw storageDown(error);
  }
}
