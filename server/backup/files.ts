import { rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { typeOfKey } from '../files/storage-local.ts';
import { isKey, type Storage } from '../files/storage.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { PartReader, PartWriter } from './parts.ts';
import { runAtOnce } from './run-at-once.ts';
import { orFull, Unusable } from './unusable.ts';

const atOnce = 8;
const folder = 'objects';
const anyTime = new Date(8.64e15);

/**
 * Unfinished uploads are not copied: their customers send them again. Neither is the trash, which no row
 * needs. A file that is deleted during the backup is left out.
 */
export async function copyObjects(storage: Storage, parts: PartWriter): Promise<number> {
  let objects = 0;
  await runAtOnce(atOnce, storage.keysBefore(anyTime), async (key, signal) => {
    if (key.startsWith('uploads/')) return;
    const object = await storage.open(key, deadlines.storage.move);
    if (object === null) return;
    await parts.write(`${folder}/${key}`, object.stream, signal);
    objects += 1;
  });
  return objects;
}

export async function refuseObjects(storage: Storage): Promise<void> {
  for await (const key of storage.keysBefore(anyTime))
    throw new Unusable(`The storage is not empty: it has ${key}.`, 'Name an empty folder or bucket in STORAGE_URL.');
}

/** By way of a file in `staging`, because a bucket must know the size and the sum of what it is sent. */
export async function placeObjects(storage: Storage, parts: PartReader, staging: string): Promise<number> {
  const keys = parts.names.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1));
  await runAtOnce(atOnce, Readable.from(keys.filter(isKey)), async (key: string, signal) => {
    const path = join(staging, key.replace('/', '-'));
    const bytes = await parts.read(`${folder}/${key}`);
    const full = orFull(dirname(staging), 'Name a folder with more space in TMPDIR.');
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal }).catch(full);
    await storage.writeFile(key, { contentType: typeOfKey(key), path });
    await rm(path);
  });
  return keys.length;
}
