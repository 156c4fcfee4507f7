import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import type { Db } from '../db/pool.ts';
import { deadlines } from '../lib/deadlines.ts';
import { rootOf } from '../lib/log.ts';
import { leastId } from '../jobs/job-page.ts';
import { uploadKey } from './file.ts';
import type { Place } from './places.ts';
import { typeOfKey } from './storage-local.ts';
import type { Storage } from './storage.ts';
import { judgedObjects, judgeKeys } from './sweep-storage.ts';

const [objectsAtOnce, filesAtOnce] = [8, 200];
/** So many failures are no fault of single objects. */
const mostFailures = 50;

/** `copied`, `bytes`: now. `objects`: all that are there now. `missing`: in neither storage. */
export type Moved = {
  objects: number;
  copied: number;
  bytes: number;
  failed: string[];
  missing: string[];
  /** Uploads that wait to be completed. */
  waiting: number;
};

/** `uploads`: also those that wait to be completed. `verify`: what is there is compared byte by byte. */
type Terms = { uploads: boolean; verify: boolean; progress(moved: Moved): unknown };

/**
 * Copies what the rows name and the other storage does not have with its size. Each object is read again and
 * compared. What was deleted meanwhile is deleted there. May be killed and repeated.
 */
export async function moveObjects(db: Db, from: Place, to: Place, terms: Terms): Promise<Moved> {
  const moved: Moved = { objects: 0, copied: 0, bytes: 0, failed: [], missing: [], waiting: 0 };
  const limit = pLimit(objectsAtOnce);
  const staging = await mkdtemp(join(tmpdir(), 'atelier-move-'));
  const work = { from: from.storage, to: to.storage, staging, moved, verify: terms.verify };
  const move = (key: string) =>
    moveObject(work, key).catch((error: unknown) => {
      moved.failed.push(`${key}: ${(rootOf(error) as Error).message}`);
    });
  try {
    for await (const keys of keysInTurns(db, terms.uploads)) {
      await Promise.all(keys.map((key) => limit(move, key)));
      const { orphans, leftovers } = await judgeKeys(db, keys);
      for (const key of [...orphans, ...leftovers]) await to.storage.remove(key);
      moved.missing = moved.missing.filter((key) => !leftovers.includes(key));
      terms.progress(moved);
      if (moved.failed.length >= mostFailures) return moved;
    }
    await removeLeftovers(db, to.storage);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return moved;
}

/** Without the rows of files that were deleted. */
async function* keysInTurns(db: Db, uploads: boolean): AsyncGenerator<string[]> {
  for (let after = leastId; ;) {
    const files = await db
      .selectFrom('files')
      .select(['id', 'status', 'content_type', 'object_key', 'poster_key', 'viewing_key'])
      .where('id', '>', after)
      .where('status', 'in', uploads ? ['uploaded', 'pending_upload'] : ['uploaded'])
      .orderBy('id')
      .limit(filesAtOnce)
      .execute();
    const last = files.at(-1);
    if (!last) return;
    after = last.id;
    const keys = files.flatMap((file) =>
      file.status === 'uploaded' ? [file.object_key, file.poster_key, file.viewing_key] : [uploadKey(file)],
    );
    yield [...new Set(keys.filter((key) => key !== null))];
  }
}

/** A process that cannot reach the other storage deletes only in its own. */
async function removeLeftovers(db: Db, storage: Storage): Promise<void> {
  for await (const { leftovers } of judgedObjects({ db, storage }, 0, new AbortController().signal))
    for (const key of leftovers) await storage.remove(key);
}

const readInto = (hash: Hash) =>
  async function* (bytes: AsyncIterable<Buffer>) {
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield chunk;
    }
  };

async function hashOf(storage: Storage, key: string): Promise<string | null> {
  const hash = createHash('sha256');
  const object = await storage.open(key, deadlines.storage.move);
  if (!object) return null;
  for await (const chunk of object.stream) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

type Work = { from: Storage; to: Storage; staging: string; moved: Moved; verify: boolean };

async function moveObject(work: Work, key: string): Promise<void> {
  const { from, to, moved } = work;
  const [source, target] = await Promise.all([from.measure(key), to.measure(key)]);
  const isUpload = key.startsWith('uploads/');
  if (source && !(target && (isUpload || (await isLike(work, key, source.bytes - target.bytes)))))
    await copyObject(work, key);
  if (isUpload) moved.waiting += 1;
  if (source || target) moved.objects += 1;
  else if (!isUpload) moved.missing.push(key);
}

async function isLike({ from, to, verify }: Work, key: string, difference: number): Promise<boolean> {
  return difference === 0 && (!verify || (await hashOf(from, key)) === (await hashOf(to, key)));
}

/** By way of a file, because a bucket must know the size and the sum of what it is sent. */
async function copyObject({ from, to, staging, moved }: Work, key: string): Promise<void> {
  const source = await from.open(key, deadlines.storage.move);
  if (!source) return; // deleted meanwhile
  const path = join(staging, key.replace('/', '-'));
  const hash = createHash('sha256');
  try {
    await pipeline(source.stream, readInto(hash), createWriteStream(path, { mode: 0o600 }));
    await to.writeFile(key, { contentType: typeOfKey(key), path });
  } finally {
    await rm(path, { force: true });
  }
  if ((await hashOf(to, key)) !== hash.digest('hex')) {
    await to.remove(key);
    throw new Error('it reads back with other bytes');
  }
  moved.copied += 1;
  moved.bytes += source.bytes;
}
