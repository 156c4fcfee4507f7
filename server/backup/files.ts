import { rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import { typeOfKey } from '../files/storage-local.ts';
import { isKey, type Storage } from '../files/storage.ts';
import { deadlines } from '../lib/deadlines.ts';
import type { PartReader, PartWriter } from './parts.ts';
import { Unusable } from './unusable.ts';

const atOnce = 8;
const folder = 'objects';
const anyTime = new Date(8.64e15);

async function* inTurns<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let some: T[] = [];
  for await (const item of items) {
    some.push(item);
    if (some.length < 100) continue;
    yield some;
    some = [];
  }
  yield some;
}

/**
 * Unfinished uploads are not copied: their customers send them again. Neither is the trash, which no row
 * needs. A file that is deleted during the backup is left out.
 */
export async function copyObjects(storage: Storage, parts: PartWriter): Promise<number> {
  const limit = pLimit(atOnce);
  let objects = 0;
  const copy = async (key: string) => {
    const object = await storage.open(key, deadlines.storage.move);
    if (object === null) return;
    await parts.write(`${folder}/${key}`, object.stream);
    objects += 1;
  };
  for await (const keys of inTurns(storage.keysBefore(anyTime)))
    await Promise.all(keys.filter((key) => !key.startsWith('uploads/')).map((key) => limit(copy, key)));
  return objects;
}

export async function refuseObjects(storage: Storage): Promise<void> {
  for await (const key of storage.keysBefore(anyTime))
    throw new Unusable(`The storage is not empty: it has ${key}.`, 'Name an empty folder or bucket in STORAGE_URL.');
}

/** By way of a file in `staging`, because a bucket must know the size and the sum of what it is sent. */
export async function placeObjects(storage: Storage, parts: PartReader, staging: string): Promise<number> {
  const limit = pLimit(atOnce);
  const keys = parts.names.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1));
  const place = async (key: string) => {
    const path = join(staging, key.replace('/', '-'));
    await pipeline(await parts.read(`${folder}/${key}`), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    await storage.writeFile(key, { contentType: typeOfKey(key), path });
    await rm(path);
  };
  await Promise.all(keys.filter(isKey).map((key) => limit(place, key)));
  return keys.length;
}
