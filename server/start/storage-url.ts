import { join, resolve } from 'node:path';
import type { StorageConfig } from '../files/storage-config.ts';
import type { Environment } from './environment.ts';

/** `file:` with a folder, or `s3://bucket/folder?endpoint=…&region=…` with the usual AWS variables. */
export function readStorage(env: Environment, dataDir: string): StorageConfig {
  const url = env.text('STORAGE_URL');
  if (url === null) return { folder: join(dataDir, 'files') };
  const folder = /^file:(?:\/\/(?=\/))?([^?#]+)$/.exec(url)?.[1];
  if (folder !== undefined) return { folder: resolve(decodeURIComponent(folder)) };
  const [, bucket, prefix = '', query] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[a-z0-9_-]{1,60}\/)*[a-z0-9_-]{0,60}))?(?:\?(.*))?$/.exec(
      url,
    ) ?? [];
  const settings = new URLSearchParams(query);
  const endpoint = settings.get('endpoint');
  const onlyKnownSettings = [...settings.keys()].every((name) => name === 'endpoint' || name === 'region');
  const usable =
    bucket !== undefined && onlyKnownSettings && (endpoint === null || /^https?:\/\/[^/@]+(?:\/|$)/.test(endpoint));
  env.check(
    'STORAGE_URL',
    usable,
    'must be file:/path/to/folder or s3://bucket/folder?endpoint=https://host&region=name.',
  );
  const folderOf = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  return { bucket: bucket ?? '', prefix: folderOf, endpoint, region: settings.get('region') ?? 'us-east-1' };
}
