import { sql } from 'kysely';
import { fileTypes, isShown } from '../../contract/file-types.ts';
import { downloadUrlSeconds, uploadUrlSeconds } from '../../contract/files.ts';
import { type FileRow, showFile } from '../jobs/job-file.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db, Trx } from '../db/pool.ts';
import { newId, readId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import { disposition } from './download-name.ts';
import type { Storage } from './storage.ts';

type Typed = { content_type: string };
const extensionOf = ({ content_type: type }: Typed) => (isShown(type) ? fileTypes[type] : 'bin');

/** The type that the storage knows a file by. Only types that pages may show are named to it. */
export const storedType = ({ content_type: type }: Typed): string =>
  isShown(type) ? type : 'application/octet-stream';

export const uploadKey = (file: Typed & { id: string }): string => `uploads/${file.id}.${extensionOf(file)}`;

/** A new key each time, so that concurrent completions write different objects. */
export const newObjectKey = (file: Typed): string => `files/${newId()}.${extensionOf(file)}`;

/** Text that is no file id counts as an unknown file. */
export function fileUuid(id: string): string {
  const uuid = readId('file', id);
  if (uuid === null) throw new Refusal('file_not_found');
  return uuid;
}

type FileKey = Pick<FileRow, 'account_id' | 'id'>;

export const findFile = (db: Db | Trx, { account_id, id }: FileKey): Promise<FileRow> =>
  db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const expiry = (from: Date, seconds: number) =>
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
