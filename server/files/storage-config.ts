import { createHash } from 'node:crypto';
import type { S3Config } from './storage-s3.ts';

export type StorageConfig = { folder: string } | S3Config;

/** As STORAGE_URL names it. It has no credentials: those of a bucket are AWS variables. */
export function nameOf(config: StorageConfig): string {
  if ('folder' in config) return `file:${config.folder}`;
  const { bucket, prefix, endpoint, region } = config;
  return `s3://${bucket}${prefix && `/${prefix}`}?${endpoint === null ? '' : `endpoint=${endpoint}&`}region=${region}`;
}

/** Of processes, which show it to Postgres beside their name. */
export const storageTag = (config: StorageConfig): string =>
  createHash('sha256').update(nameOf(config)).digest('hex').slice(0, 8);
