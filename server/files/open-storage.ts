import type { Seal } from '../lib/signer.ts';
import { openLocalStorage } from './storage-local.ts';
import { openS3Storage, type S3Place } from './storage-s3.ts';
import type { Storage } from './storage.ts';

/** Where STORAGE_URL points: a folder, or a bucket. */
export type StoragePlace = { folder: string } | S3Place;

export const openStorage = (place: StoragePlace, seal: Seal, publicUrl: string): Storage =>
  'folder' in place ? openLocalStorage(place.folder, seal, publicUrl) : openS3Storage(place);
