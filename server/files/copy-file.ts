import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { copyFile as endpoint } from '../../contract/files/uploads.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { earlierAnswer, withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Cause, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { showFile } from '../jobs/job-file.ts';
import { newId, showId } from '../lib/id.ts';
import { findFile, newObjectKey, type StoredFile, visibleFile } from './file.ts';
import { type FilmReading, newViewing } from './films/film.ts';
import { newPoster } from './finalize-upload.ts';
import type { Storage } from './storage.ts';
import { type FileLimits, storageLimitRefusal } from './upload-rules.ts';

/** The bytes are copied first. An object whose row was refused is removed; others without a row are swept. */
export async function copyFile(
  { db, storage, config }: { db: Db; storage: Storage; config: FileLimits & FilmReading },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const earlier = await earlierAnswer<AnswerOf<typeof endpoint>>(db, request);
  if (earlier) return earlier;
  const { caller, params, cause } = request;
  const source = await visibleFile(db, caller, params.id);
  const objectKey = newObjectKey(source);
  const copied = await storage.pin(source.object_key, objectKey);
  if (!copied) throw new Refusal('file_not_found');
  const id = newId();
  try {
    const answer = await withIdempotencyKey(db, request, async (trx) => {
      const fault = await storageLimitRefusal(trx, caller.accountId, config, copied.bytes);
      if (fault) throw fault;
      const file = await insertCopy(trx, source, { id, objectKey, etag: copied.etag, config }, cause);
      return { status: 201 as const, body: { file: showFile(file) } };
    });
    if (answer.body.file.id !== showId('file', id)) await storage.remove(objectKey);
    return answer;
  } catch (error) {
    // After a lost connection the row may have been written.
    if (error instanceof Refusal) await storage.remove(objectKey).catch(() => {});
    throw error;
  }
}

async function insertCopy(
  trx: Trx,
  source: StoredFile,
  { id, objectKey, etag, config }: { id: string; objectKey: string; etag: string; config: FilmReading },
  cause: Cause,
) {
  const { account_id, file_name, content_type, declared_bytes, stored_bytes, retention_days } = source;
  await trx
    .insertInto('files')
    .values({
      account_id,
      id,
      uploaded_by: 'customer',
      purpose: source.purpose === 'job_source' ? 'job_source' : 'job_reference',
      file_name,
      content_type,
      declared_bytes,
      stored_bytes,
      retention_days,
      status: 'uploaded',
      uploaded_at: sql`now()`,
      object_key: objectKey,
      etag,
      ...(await picturesFor(trx, source, config)),
    })
    .execute();
  await appendAudit(trx, cause, { action: 'file.uploaded', subject: showId('file', id), accountId: account_id });
  return findFile(trx, { account_id, id });
}

/** Copies share the poster and the copy for viewing. The lock keeps both until this has committed. */
async function picturesFor(trx: Trx, source: StoredFile, config: FilmReading) {
  const file = await trx
    .selectFrom('files')
    .select(['poster_status', 'poster_key', 'pixel_width', 'pixel_height'])
    .select(['viewing_status', 'viewing_key', 'viewing_bytes'])
    .where('account_id', '=', source.account_id)
    .where('id', '=', source.id)
    .where('status', '=', 'uploaded')
    .forShare()
    .executeTakeFirst();
  if (!file) return { ...newPoster(source, config), ...newViewing(config, source) };
  const { poster_status, poster_key, pixel_width, pixel_height, ...viewing } = file;
  return {
    pixel_width,
    pixel_height,
    ...(poster_status === 'made' ? { poster_status, poster_key } : newPoster(source, config)),
    ...(viewing.viewing_status === 'pending' ? newViewing(config, source) : viewing),
  };
}
