import type { Signer } from '../lib/signer.ts';
import { createLocalStorage } from './storage-local.ts';
import { createS3Storage, type S3Place } from './storage-s3.ts';
import type { Storage } from './storage.ts';

/** Where STORAGE_URL points: a folder, or a bucket. */
export type StoragePlace = { folder: string } | S3Place;

export const createStorage = (place: StoragePlace, signer: Signer, publicUrl: string): Storage =>
  'folder' in place ? createLocalStorage(place.folder, signer, publicUrl) : createS3Storage(place);
