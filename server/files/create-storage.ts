import type { Signer } from '../lib/signer.ts';
import { makeFolder } from './local-objects.ts';
import { createLocalStorage } from './storage-local.ts';
import { createS3Storage, type S3Config } from './storage-s3.ts';
import type { Storage } from './storage.ts';

export type StorageConfig = { folder: string } | S3Config;

export const createStorage = (config: StorageConfig, signer: Signer, publicUrl: string): Storage =>
  'folder' in config ? createLocalStorage(config.folder, signer, publicUrl) : createS3Storage(config);

/** Refuses a folder that cannot be made: no upload would ever work. */
export async function makeStorageFolder(config: StorageConfig): Promise<void> {
  if (!('folder' in config)) return;
  await makeFolder(config.folder).catch((cause: Error) => {
    throw new Error(`The folder of the storage cannot be made: ${cause.message}. Check STORAGE_URL.`, { cause });
  });
}
