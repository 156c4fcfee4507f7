import { newObjectKey, storedType } from '../files/file.ts';
import type { Storage } from '../files/storage.ts';
import type { JobOfImport } from './read-import.ts';
import type { SourceFile } from './source-file.ts';

export type StoredFile = { key: string; etag: string; bytes: number };

/** The bytes of all files, at keys of their own. Without one of them, none is left. */
export async function storeFiles(
  storage: Storage,
  jobs: readonly JobOfImport[],
): Promise<ReadonlyMap<SourceFile, StoredFile>> {
  const stored = new Map<SourceFile, StoredFile>();
  try {
    for (const file of jobs.flatMap(({ files }) => files)) stored.set(file, await storeFile(storage, file));
  } catch (error) {
    for (const { key } of stored.values()) await storage.remove(key).catch(() => {});
    throw error;
  }
  return stored;
}

async function storeFile(storage: Storage, file: SourceFile): Promise<StoredFile> {
  const key = newObjectKey(file);
  await storage.writeFile(key, { contentType: storedType(file), path: file.path });
  const measured = await storage.measure(key);
  if (measured?.bytes === file.bytes) return { key, ...measured };
  await storage.remove(key).catch(() => {});
  throw new Error(`files/${file.name} changed while it was imported.`);
}
