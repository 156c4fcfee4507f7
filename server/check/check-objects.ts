import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { checkStorage } from '../files/installation.ts';
import type { Storage } from '../files/storage.ts';
import { judgedObjects } from '../files/sweep-storage.ts';
import { deadlines } from '../lib/deadlines.ts';
import { showId } from '../lib/id.ts';
import { type Contradiction, contradictionOf, type Example, mostExamples } from './contradiction.ts';

type Dependencies = { db: Db; storage: Storage };

const stored = {
  rule: 'Each stored file has its bytes.',
  meaning: 'The download fails or gives other bytes. Restore the object under its key from a backup of the files.',
};
const ours = {
  rule: 'The storage belongs to this database.',
  meaning: 'Objects without a row were not looked for, because they may be the files of another database.',
};
const swept = {
  rule: 'Each object older than two days belongs to a stored file.',
  meaning: 'Bytes that should be deleted are still there. Run: npm run admin -- storage sweep',
};

export type CheckedObjects = { objects: number; contradictions: Contradiction[] };

/** Outside the snapshot of the database, because a storage answers slowly. */
export async function checkObjects(
  { db, storage }: Dependencies,
  terms: { contents: boolean },
): Promise<CheckedObjects> {
  const refused = await checkStorage({ db, storage });
  const files = await checkFiles({ db, storage }, terms.contents);
  if (refused?.expected) return files;
  if (refused) {
    const fault = { account_id: null, subject: 'STORAGE_URL:', fault: refused.message };
    return { ...files, contradictions: [...files.contradictions, ...contradictionOf(ours, 1, [fault])] };
  }
  return { ...files, contradictions: [...files.contradictions, ...(await checkOrphans({ db, storage }))] };
}

type FileRow = {
  account_id: string;
  id: string;
  object_key: string;
  etag: string;
  stored_bytes: number;
  poster_key: string | null;
  viewing_key: string | null;
  viewing_bytes: number | null;
};

const atOnce = 10;

async function checkFiles({ db, storage }: Dependencies, contents: boolean): Promise<CheckedObjects> {
  const examples: Example[] = [];
  let [objects, total] = [0, 0];
  for (let files = await readFiles(db, null); files.length > 0; files = await readFiles(db, files.at(-1) ?? null)) {
    for (let from = 0; from < files.length; from += atOnce) {
      const some = files.slice(from, from + atOnce);
      const faults = (await Promise.all(some.map((file) => faultOf({ db, storage }, file, contents)))).flat();
      objects += some.length;
      total += faults.length;
      examples.push(...faults.slice(0, mostExamples - examples.length));
    }
  }
  return { objects, contradictions: contradictionOf(stored, total, examples) };
}

async function readFiles(db: Db, after: FileRow | null): Promise<FileRow[]> {
  const from = after === null ? sql`` : sql`and (account_id, id) > (${after.account_id}::uuid, ${after.id}::uuid)`;
  const { rows } = await sql<FileRow>`
    select account_id, id, object_key, etag, stored_bytes, poster_key, viewing_key, viewing_bytes from files
    where status = 'uploaded' ${from} order by account_id, id limit 500`.execute(db);
  return rows;
}

/** A file may be deleted while it is looked at: only what its row still says afterwards counts. */
async function faultOf({ db, storage }: Dependencies, file: FileRow, contents: boolean): Promise<Example[]> {
  const fault =
    (await objectFault(storage, file, contents)) ??
    (await posterFault(storage, file)) ??
    (await viewingFault(storage, file));
  if (fault === null) return [];
  const { rows } = await sql`
    select from files where account_id = ${file.account_id} and id = ${file.id} and status = 'uploaded'
      and object_key = ${file.object_key} and poster_key is not distinct from ${file.poster_key}
      and viewing_key is not distinct from ${file.viewing_key}`.execute(db);
  if (rows.length === 0) return [];
  return [{ account_id: showId('acct', file.account_id), subject: showId('file', file.id), fault }];
}

async function objectFault(storage: Storage, file: FileRow, contents: boolean): Promise<string | null> {
  const object = await storage.measure(file.object_key);
  if (object === null) return `has no object ${file.object_key}`;
  if (object.bytes !== file.stored_bytes)
    return `has ${file.stored_bytes} bytes, but its object ${file.object_key} has ${object.bytes}`;
  return contents ? contentFault(storage, file, object) : null;
}

/** S3 makes the ETag of the bytes; a local one is made of size and time, which copying changes. */
async function contentFault(storage: Storage, file: FileRow, object: { etag: string }): Promise<string | null> {
  if (![file.etag, object.etag].some(isOfSizeAndTime) && object.etag !== file.etag)
    return `was stored with the ETag ${file.etag}, but its object ${file.object_key} has ${object.etag}`;
  const bytes = await countBytes(storage, file.object_key);
  return bytes === file.stored_bytes ? null : `cannot be read: its object ${file.object_key} ends after ${bytes} bytes`;
}

const isOfSizeAndTime = (etag: string) => /^"[0-9a-f]{1,12}-[0-9a-f]+"$/.test(etag);

async function countBytes(storage: Storage, key: string): Promise<number> {
  const object = await storage.open(key, deadlines.storage.move);
  let bytes = 0;
  try {
    for await (const chunk of object?.stream ?? []) bytes += (chunk as Buffer).length;
  } catch {
    // The fault says how many bytes could be read.
  }
  return bytes;
}

async function posterFault(storage: Storage, { poster_key }: FileRow): Promise<string | null> {
  if (poster_key === null || (await storage.measure(poster_key)) !== null) return null;
  return `has no poster ${poster_key}`;
}

async function viewingFault(storage: Storage, { viewing_key, viewing_bytes }: FileRow): Promise<string | null> {
  if (viewing_key === null) return null;
  const object = await storage.measure(viewing_key);
  return object?.bytes === viewing_bytes ? null : `has no copy for viewing ${viewing_key} of ${viewing_bytes} bytes`;
}

/** The service deletes bytes within two days at the latest. */
const hoursOfGrace = 48;

async function checkOrphans({ db, storage }: Dependencies): Promise<Contradiction[]> {
  const examples: Example[] = [];
  let total = 0;
  const add = (keys: readonly string[], fault: string) => {
    total += keys.length;
    const faults = keys.map((subject) => ({ account_id: null, subject, fault }));
    examples.push(...faults.slice(0, mostExamples - examples.length));
  };
  for await (const { orphans, leftovers } of judgedObjects(
    { db, storage },
    hoursOfGrace,
    new AbortController().signal,
  )) {
    add(orphans, 'belongs to no file');
    add(await endedBeforeGrace(db, leftovers), 'belongs to a file that was deleted');
  }
  return contradictionOf(swept, total, examples);
}

async function endedBeforeGrace(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as key
    where not exists (select from files
      where (object_key = key or poster_key = key or viewing_key = key or id = substring(key from '^uploads/(.{36})')::uuid)
        and coalesce(deleted_at, uploaded_at, created_at + interval '1 day') > now() - make_interval(hours => ${hoursOfGrace}))`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}
