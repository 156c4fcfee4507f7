import { type Selectable, sql } from 'kysely';
import { fileTypes, isShown } from '../../contract/files/file-types.ts';
import { downloadUrlSeconds, uploadUrlSeconds } from '../../contract/files/file.ts';
import { type FileRow, isBrandCopy, showFile } from '../jobs/job-file.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db, Trx } from '../db/pool.ts';
import { type Caller, isReviewer } from '../http/request.ts';
import { newId, readId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import type { Files } from '../tables.ts';
import { disposition } from './download-name.ts';
import type { Storage } from './storage.ts';

type Typed = { content_type: string };
const extensionOf = ({ content_type: type }: Typed) => (isShown(type) ? fileTypes[type] : 'bin');

/** The type that the storage knows a file by. Only types that pages may show are named to it. */
export const storedType = ({ content_type: type }: Typed): string =>
  isShown(type) ? type : 'application/octet-stream';

export const uploadKey = (file: Typed & { id: string }): string => `uploads/${file.id}.${extensionOf(file)}`;

type Stored = { object_key: string | null; poster_key: string | null; viewing_key: string | null };

/** Where the bytes of a file, its poster and its copy for viewing may be. */
export const keysOf = (file: Typed & Stored & { id: string }): string[] =>
  [uploadKey(file), file.object_key, file.poster_key, file.viewing_key].filter((key) => key !== null);

/** Without the keys of bytes that another file still has: copies of a file share them. */
export async function unsharedKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) as key
    where not exists (
      select from files where (object_key = key or poster_key = key or viewing_key = key) and status = 'uploaded'
    )`.execute(db);
  return rows.map(({ key }) => key);
}

/** A new key each time, so that concurrent completions write different objects. */
export const newObjectKey = (file: Typed): string => `files/${newId()}.${extensionOf(file)}`;

/** Text that is no file id counts as an unknown file. */
export function fileUuid(id: string): string {
  const uuid = readId('file', id);
  if (uuid === null) throw new Refusal('file_not_found');
  return uuid;
}

/** An upload of the account, complete or not. Copies of the brand kit belong to the studio. */
export async function ownUpload(db: Db, accountId: string, id: string): Promise<FileRow> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', fileUuid(id))
    .where('uploaded_by', '=', 'customer')
    .where((row) => row.not(isBrandCopy))
    .executeTakeFirst();
  if (!file) throw new Refusal('file_not_found');
  return file;
}

/** Reviewers see neither the brand kit nor templates. */
export const isShownTo = (caller: Caller) =>
  isReviewer(caller) ? sql<boolean>`(brand_position is null and template_id is null)` : sql<boolean>`true`;

export type StoredFile = Selectable<Files> & { object_key: string };

/** A file whose bytes the customer may have, and the time of the database. */
export async function visibleFile(db: Db, caller: Caller, id: string): Promise<StoredFile & { now: Date }> {
  const file = await db
    .selectFrom('visible_files')
    .selectAll()
    .select(sql<Date>`now()`.as('now'))
    .where('account_id', '=', caller.accountId)
    .where('id', '=', fileUuid(id))
    .where(isShownTo(caller))
    .$narrowType<StoredFile>()
    .executeTakeFirst();
  if (file?.status !== 'uploaded') throw noFile(file?.deleted_at ?? null);
  return file;
}

/** Of a file that the account has had, it says since when its bytes are gone. */
function noFile(deletedAt: Date | null): Refusal {
  if (deletedAt === null) return new Refusal('file_not_found');
  return new Refusal('file_not_found', {
    message: `This file is no longer kept. It was deleted on ${deletedAt.toISOString().slice(0, 10)}.`,
    action: 'Ask the studio for a copy, or order the work again.',
  });
}

type FileKey = Pick<FileRow, 'account_id' | 'id'>;

export const findFile = (db: Db | Trx, { account_id, id }: FileKey): Promise<FileRow> =>
  db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

export const expiry = (from: Date, seconds: number) =>
  new Date((Math.floor(from.getTime() / 1000) + seconds) * 1000).toISOString();

/** Signed from the time of the presign, so that a replay gets the same URL; later, from now. */
export async function showUpload(db: Db, storage: Storage, { account_id, id }: FileKey) {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .select(
      sql<Date>`case when now() < created_at + ${uploadUrlSeconds} * interval '1 second' then created_at else now() end`.as(
        'from',
      ),
    )
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { declared_bytes: bytes, from } = file;
  const contentType = storedType(file);
  const url = await storage.uploadUrl(uploadKey(file), { contentType, bytes, from, seconds: uploadUrlSeconds });
  return {
    file: showFile(file),
    upload: {
      method: 'PUT' as const,
      url,
      expires_at: expiry(from, uploadUrlSeconds),
      headers: { 'content-type': contentType, 'x-service-max-size': String(bytes) },
    },
  };
}

type Viewable = Typed & { object_key: string | null; viewing_key: string | null; file_name: string };

/** The file itself, or its copy for viewing. */
export function copyOf<F extends Viewable>(file: F, copy?: 'viewing'): F {
  if (copy === undefined) return file;
  if (file.viewing_key === null)
    throw new Refusal('file_not_found', {
      message: 'This file has no copy for viewing.',
      action: 'Leave out `copy`; `viewing_copy` of the file says whether there is one.',
    });
  const { viewing_key: object_key, file_name } = file;
  return { ...file, object_key, content_type: 'video/mp4', file_name: `${file_name} (copy for viewing)` };
}

type Downloadable = Typed & { object_key: string | null; file_name: string; now: Date };

/** The caller must have checked access. */
export async function downloadOf(storage: Storage, catalog: Catalog, file: Downloadable) {
  if (file.object_key === null) throw new Error('An uploaded file has no object.');
  const terms = {
    contentType: storedType(file),
    disposition: disposition(file.file_name, file.content_type, catalog.fileTypes),
  };
  const url = await storage.downloadUrl(file.object_key, { ...terms, from: file.now, seconds: downloadUrlSeconds });
  return { method: 'GET' as const, url, expires_at: expiry(file.now, downloadUrlSeconds) };
}
