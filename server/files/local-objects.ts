import { randomUUID } from 'node:crypto';
import { constants, createWriteStream, type Dirent } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { badRequest, Refusal } from '../http/refusal.ts';
import { isKey, isTrashKey, storageDown } from './storage.ts';

/** Keys come from the service, never from a caller. Nothing else may reach the disk. */
function pathOf(folder: string, key: string): string {
  if (!isKey(key) && !isTrashKey(key)) throw new Error('This is not an object key.');
  return join(folder, key);
}

export const missing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** A new name in a folder is durable only after syncing the folder. */
export async function sync(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

const isThere = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EEXIST';

export function unlessThere(error: unknown): void {
  if (!isThere(error)) throw error;
}

/** Creates missing folders and syncs their names. Not `recursive`, as `lib/make-folder.ts` says. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (isThere(error)) return;
    if (!missing(error) || path === dirname(path)) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 }).catch(unlessThere);
  }
  await sync(dirname(path));
}

export const largerThan = (most: number) =>
  new Refusal('file_too_large', { message: `The upload is larger than the declared ${most} bytes.` });

/** Passes on at most `most` bytes. A refused sender keeps the connection and can read the answer. */
async function* atMost(bytes: Readable, most: number): AsyncGenerator<Buffer> {
  let passed = 0;
  for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    passed += chunk.length;
    if (passed > most) throw largerThan(most);
    yield chunk;
  }
}

/** Writes an object completely or not at all: temporary file, sync, rename, sync of the folder. */
export async function writeObject(folder: string, key: string, bytes: Readable, most: number): Promise<void> {
  const path = pathOf(folder, key);
  const temporary = join(folder, 'tmp', randomUUID());
  try {
    for (const parent of [dirname(temporary), dirname(path)]) await makeFolder(parent);
    await pipeline(atMost(bytes, most), createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(temporary, path);
    await sync(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {}); // leftovers are deleted by the sweep
    if (error instanceof Refusal) throw error;
    throw bytes.errored ? badRequest('body', 'ended before it was complete') : storageDown(error);
  }
}

/** Null if there is none. Does not follow links. */
export async function openObject(folder: string, key: string) {
  try {
    const handle = await open(pathOf(folder, key), constants.O_RDONLY | constants.O_NOFOLLOW);
    const { size, mtimeMs } = await handle.stat();
    return { handle, bytes: size, etag: `"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"` };
  } catch (error) {
    if (missing(error)) return null;
    throw storageDown(error);
  }
}

export async function measureObject(folder: string, key: string): Promise<{ etag: string; bytes: number } | null> {
  const object = await openObject(folder, key);
  if (!object) return null;
  await object.handle.close();
  return { etag: object.etag, bytes: object.bytes };
}

/** A later upload under the first name changes nothing. The new time keeps it from being swept. */
export async function linkObject(folder: string, from: string, to: string): Promise<boolean> {
  const [source, target] = [pathOf(folder, from), pathOf(folder, to)];
  try {
    await makeFolder(dirname(target));
    const now = new Date();
    await utimes(source, now, now);
    await link(source, target);
    await sync(dirname(target));
    return true;
  } catch (error) {
    if (missing(error)) return false;
    throw storageDown(error);
  }
}

export async function removeObject(folder: string, key: string): Promise<void> {
  await rm(pathOf(folder, key), { force: true }).catch((error: unknown) => {
    throw storageDown(error);
  });
}

/** The new time keeps a restored object from looking like an old orphan. */
export async function moveObject(folder: string, from: string, to: string): Promise<void> {
  const [source, target] = [pathOf(folder, from), pathOf(folder, to)];
  try {
    await makeFolder(dirname(target));
    const now = new Date();
    await utimes(source, now, now);
    await rename(source, target);
    await sync(dirname(target));
  } catch (error) {
    if (!missing(error)) throw storageDown(error);
  }
}

function none(error: unknown): never[] {
  if (missing(error)) return [];
  throw storageDown(error);
}

/** Files last written before the given time. A missing folder has none. */
async function* oldFiles(folder: string, before: Date): AsyncGenerator<string> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(none);
  for (const entry of entries.filter((item) => item.isFile())) {
    const written = await stat(join(folder, entry.name)).catch(() => null); // already deleted
    if (written && written.mtime < before) yield entry.name;
  }
}

/** No upload takes longer; an older temporary file is left from a crash. */
const mostOfAnUpload = 24 * 3_600_000;

const kinds = ['uploads', 'files', 'posters', 'viewing'];

export async function removeAbandoned(folder: string): Promise<void> {
  const abandoned = new Date(Date.now() - mostOfAnUpload);
  for await (const name of oldFiles(join(folder, 'tmp'), abandoned))
    await rm(join(folder, 'tmp', name), { force: true });
}

export async function* oldObjects(folder: string, before: Date): AsyncGenerator<string> {
  for (const kind of kinds)
    for await (const name of oldFiles(join(folder, kind), before))
      if (isKey(`${kind}/${name}`)) yield `${kind}/${name}`;
}

export async function* trashObjects(folder: string): AsyncGenerator<string> {
  const now = new Date();
  for (const day of await readdir(join(folder, 'trash')).catch(none))
    for (const kind of kinds)
      for await (const name of oldFiles(join(folder, 'trash', day, kind), now))
        if (isTrashKey(`trash/${day}/${kind}/${name}`)) yield `trash/${day}/${kind}/${name}`;
}
