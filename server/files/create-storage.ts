import type { Signer } from '../lib/signer.ts';
import { createLocalStorage } from './storage-local.ts';
import { createS3Storage, type S3Config } from './storage-s3.ts';
import type { Storage } from './storage.ts';

export type StorageConfig = { folder: string } | S3Config;

export const createStorage = (config: StorageConfig, signer: Signer, publicUrl: string): Storage =>
  'folder' in config ? createLocalStorage(config.folder, signer, publicUrl) : createS3Storage(config);
