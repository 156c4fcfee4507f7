import { sql } from 'kysely';
import type { FileRow } from '../jobs/job-file.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents } from '../events/append-events.ts';
import { announce, type Db, lockCounters, transact, type Trx } from '../db/pool.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Cause } from '../http/request.ts';
import { aboutFile, appendJobEvents } from '../jobs/job-event.ts';
import { readClock } from '../jobs/clock.ts';
import type { JobKey } from '../jobs/job-event.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { canBeDrawn } from './draw-poster.ts';
import { canBeRead, type FilmReading, newViewing } from './films/film.ts';
import { findFile, newObjectKey, showUpload, storedType, uploadKey } from './file.ts';
import { longestBeginning, nameByBytes, typeByBytes } from './first-bytes.ts';
import type { Storage, Stored } from './storage.ts';
import { jobEnded, mediaType } from './upload-rules.ts';

type Dependencies = { db: Db; storage: Storage; catalog: Catalog; config: FilmReading };
/** `isAwaited`: somebody else sends the bytes, and the account learns of it by an event. */
type Terms = { isAwaited?: boolean };

/** Copies, checks the copy, then marks the row. Idempotent; a crash leaves only an orphan. */
export async function finalizeUpload(
  { db, storage, catalog, config, isAwaited = false }: Dependencies & Terms,
  file: FileRow,
  cause: Cause,
): Promise<FileRow> {
  if (file.status !== 'pending_upload') return completed(db, storage, file);
  const upload = uploadKey(file);
  const objectKey = newObjectKey(file);
  const stored = await storage.pin(upload, objectKey);
  if (stored === null) {
    // Nothing was uploaded, or a concurrent request completed it. Not every storage removes an unfinished
    // copy.
    await storage.remove(objectKey).catch(() => {});
    return completed(db, storage, await findFile(db, file));
  }
  const unlike = tooLarge(file, stored) ?? (await unlikeDeclared(db, storage, file, stored));
  const start = unlike ? null : await storage.readStart(objectKey, longestBeginning);
  const type = start && typeByBytes(start, file.content_type, catalog);
  if (type === null) {
    await storage.remove(upload);
    await storage.remove(objectKey);
    throw unlike ?? (await unlikeItsType({ db, storage, catalog, config }, file, start ?? new Uint8Array()));
  }
  const marked = await transact(db, (trx) =>
    markUploaded(trx, file, { object_key: objectKey, ...stored, content_type: type, isAwaited }, config, cause),
  );
  // If this fails, the sweep does it.
  await storage.remove(marked ? upload : objectKey).catch(() => {});
  return completed(db, storage, await findFile(db, file));
}

/** Also returns a completed file whose bytes have since been deleted. */
async function completed(db: Db, storage: Storage, file: FileRow): Promise<FileRow> {
  if (file.uploaded_at !== null) return file;
  if (file.status === 'pending_upload') throw await incomplete(db, storage, file);
  throw new Refusal('upload_incomplete', {
    message:
      file.status === 'expired'
        ? 'This upload was not completed within a day and has expired.'
        : 'This upload was deleted before it was complete.',
    action: 'Presign a new upload, with a new Idempotency-Key.',
  });
}

/** The bytes can still be sent, to the same URL or to a new one if it has expired. */
async function incomplete(db: Db, storage: Storage, file: FileRow, message?: string): Promise<Refusal> {
  const { upload } = await showUpload(db, storage, file);
  return new Refusal('upload_incomplete', { upload, ...(message ? { message } : {}) });
}

function tooLarge(file: FileRow, { bytes }: Stored): Refusal | null {
  if (bytes <= file.declared_bytes) return null;
  return new Refusal('file_too_large', {
    message: `The upload has ${bytes} bytes instead of the declared ${file.declared_bytes}. It was deleted.`,
  });
}

async function unlikeDeclared(
  db: Db,
  storage: Storage,
  file: FileRow,
  { bytes, contentType }: Stored,
): Promise<Refusal | null> {
  if (bytes === 0) return incomplete(db, storage, file, 'The upload is empty.');
  if (mediaType(contentType) === storedType(file)) return null;
  return incomplete(db, storage, file, `The upload has the type ${contentType} instead of ${storedType(file)}.`);
}

/** The same bytes are refused again, so the detail tells pages not to offer another try. */
async function unlikeItsType(
  { db, storage, catalog }: Dependencies,
  file: FileRow,
  start: Uint8Array,
): Promise<Refusal> {
  const { upload } = await showUpload(db, storage, file);
  const name = nameByBytes(start, catalog);
  return new Refusal('upload_incomplete', {
    upload,
    message: name
      ? `The file begins like ${name}, not like ${file.content_type}.`
      : `The file does not begin as a file of type ${file.content_type} does.`,
    action: 'Choose another file, or presign this one as what it is.',
    details: [{ location: 'file', message: 'has other content than its type says' }],
  });
}

/** `content_type`: what the bytes are. */
type Uploaded = Stored & { object_key: string; content_type: string; isAwaited: boolean };

/** Does nothing if another request has marked it. A customer's file is added to its job with an event. */
async function markUploaded(
  trx: Trx,
  file: FileRow,
  { object_key, etag, bytes, content_type, isAwaited }: Uploaded,
  reading: FilmReading,
  cause: Cause,
): Promise<boolean> {
  const job = file.job_id === null ? null : { account_id: file.account_id, id: file.job_id };
  if (job) {
    await refuseUnlessOpen(trx, job, file.purpose, cause);
  }
  // Creating a job with this file also locks the account first.
  if (job || isAwaited) await lockCounters(trx, file.account_id);
  const poster = newPoster({ content_type }, reading);
  const { numUpdatedRows } = await trx
    .updateTable('files')
    .where('account_id', '=', file.account_id)
    .where('id', '=', file.id)
    .where('status', '=', 'pending_upload')
    // An upload page may have replaced them since the bytes were checked.
    .where('content_type', '=', file.content_type)
    .where('declared_bytes', '=', file.declared_bytes)
    .set({ status: 'uploaded', uploaded_at: sql`now()`, object_key, etag, stored_bytes: bytes, content_type })
    .set({ ...poster, ...newViewing(reading, { content_type }) })
    .executeTakeFirstOrThrow();
  const marked = numUpdatedRows === 1n;
  if (marked && 'poster_status' in poster) announce(trx, file.id, 'posters');
  // For a customer's file of a job, the event is the record.
  if (marked && job && file.uploaded_by === 'customer')
    await appendJobEvents(trx, job, [aboutFile('job.file_attached', file.id)], cause);
  else if (marked && isAwaited)
    await appendEvents(trx, file.account_id, cause, [
      { type: 'file.uploaded', data: { file_id: showId('file', file.id) } },
    ]);
  else if (marked) {
    const action = file.uploaded_by === 'customer' ? 'file.uploaded' : 'deliverable.uploaded';
    await appendAudit(trx, cause, { action, subject: showId('file', file.id), accountId: file.account_id });
  }
  return marked;
}

/** An uploaded file that the service can draw waits for its poster. */
export const newPoster = (file: { content_type: string }, reading: FilmReading) =>
  canBeDrawn(file.content_type) || canBeRead(reading, file)
    ? { poster_status: 'pending' as const, poster_due_at: sql<Date>`now()` }
    : {};

/** Locks the job before the file, as everything that needs both does. */
async function refuseUnlessOpen(trx: Trx, job: JobKey, purpose: string, cause: Cause): Promise<void> {
  const row = await trx
    .selectFrom('jobs')
    .select(['status', 'status_changed_at', 'imported_at', 'worker_key_id', 'lease_expires_at'])
    .where('account_id', '=', job.account_id)
    .where('id', '=', job.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const at = await readClock(trx);
  const { worker_key_id, lease_expires_at } = row;
  const isLive = worker_key_id === cause.workerKeyId && lease_expires_at !== null && lease_expires_at > at;
  if (cause.actor === 'worker' && !isLive) throw new Refusal('lease_lost');
  if (jobEnded(row, purpose, at))
    throw badBody([{ location: '', message: `names a file whose job is ${row.status} and accepts no more files` }]);
}
