import type { Signer } from '../lib/signer.ts';
import { removeLeftFilms } from './films/film-process.ts';
import type { FilmReading } from './films/film.ts';
import { makeFolder } from './local-objects.ts';
import { createLocalStorage } from './storage-local.ts';
import type { StorageConfig } from './storage-config.ts';
import { createS3Storage } from './storage-s3.ts';
import type { Storage } from './storage.ts';

export const createStorage = (config: StorageConfig, signer: Signer, publicUrl: string): Storage =>
  'folder' in config ? createLocalStorage(config.folder, signer, publicUrl) : createS3Storage(config);

/** Removes films that a process left. Refuses a folder that cannot be made: no upload would ever work. */
export async function prepareFolders({ storage, ffmpeg }: { storage: StorageConfig } & FilmReading): Promise<void> {
  if (ffmpeg !== null) await removeLeftFilms();
  if (!('folder' in storage)) return;
  await makeFolder(storage.folder).catch((cause: Error) => {
    throw new Error(`The folder of the storage cannot be made: ${cause.message}. Check STORAGE_URL.`, { cause });
  });
}
