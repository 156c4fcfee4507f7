import { type Selectable, sql } from 'kysely';
import type { Static } from 'typebox';
import type { File } from '../../contract/files/file.ts';
import type { Db, Trx } from '../db/pool.ts';
import { isoTime } from '../db/time.ts';
import { readId, showId } from '../lib/id.ts';
import { badBody } from '../http/refusal.ts';
import type { Files } from '../tables.ts';
import type { Cause } from '../http/request.ts';
import { aboutFile, appendJobEvents, type JobKey } from './job-event.ts';

type Times = 'poster_due_at' | 'created_at' | 'uploaded_at' | 'submitted_at' | 'released_at' | 'sent_at' | 'deleted_at';
/** A file row, or a file read together with its job, whose times are then JSON text. */
export type FileRow = Omit<Selectable<Files>, Times> & {
  [T in Times]: Selectable<Files>[T] | (T extends 'created_at' ? string : string | null);
};

export const showFile = (file: FileRow): Static<typeof File> => ({
  id: showId('file', file.id),
  ...(file.job_id === null ? {} : { job_id: showId('job', file.job_id) }),
  purpose: file.purpose,
  uploaded_by: file.uploaded_by,
  file_name: file.file_name,
  content_type: file.content_type,
  size_bytes: file.stored_bytes ?? file.declared_bytes,
  status: file.status,
  retention_days: file.retention_days,
  round: file.round,
  created_at: isoTime(file.created_at),
  uploaded_at: isoTime(file.uploaded_at),
  released_at: isoTime(file.released_at),
  deleted_at: isoTime(file.deleted_at),
  ...showPoster(file),
});

/** The key of the poster. `files/signed-posters.ts` replaces it by a signed URL in each answer. */
export const showPoster = (
  file: Pick<FileRow, 'status' | 'poster_status' | 'poster_key' | 'pixel_width' | 'pixel_height' | 'viewing_status'>,
) => ({
  ...(file.status === 'uploaded'
    ? { poster: file.poster_key, poster_status: file.poster_status, viewing_copy: file.viewing_status }
    : { poster: null, poster_status: 'none' as const, viewing_copy: 'none' as const }),
  width: file.pixel_width,
  height: file.pixel_height,
});

/** Copies of the brand kit belong to what the studio works from, not to what customers see of a job. */
export const isBrandCopy = sql<boolean>`(brand_position is not null and job_id is not null)`;

/** The kit and templates keep their files. */
export function keptFault({ brand_position, template_id }: FileRow): string | null {
  if (brand_position !== null) return 'names a file of the brand kit, which every job gets a copy of';
  return template_id === null ? null : 'names a file of a template: copy it with POST /api/v1/files/{id}/copy';
}

type Look = 'locked' | 'as they are';

/** In request order. One 422 names all unusable files; those outside `candidates` do not exist. */
export async function namedFiles(
  trx: Db | Trx,
  candidates: Partial<Pick<Selectable<Files>, 'account_id' | 'job_id' | 'uploaded_by' | 'purpose'>>,
  fileIds: readonly string[],
  fault: (file: FileRow) => string | null,
  look: Look = 'locked',
): Promise<FileRow[]> {
  const uuids = fileIds.map((id) => readId('file', id));
  const rows: FileRow[] = await trx
    .selectFrom('files')
    .selectAll()
    .where((row) => row.and(candidates))
    .where('id', '=', sql<string>`any(${uuids.filter((uuid) => uuid !== null)}::uuid[])`)
    .orderBy('id')
    .$if(look === 'locked', (files) => files.forUpdate())
    .execute();
  const files = uuids.map((uuid) => rows.find((row) => row.id === uuid));
  const faults = files.map((file) => {
    if (!file) return 'names no file that you may use here';
    return file.status === 'uploaded' ? fault(file) : `names a file that is ${file.status}`;
  });
  const details = faults.flatMap((message, at) => (message === null ? [] : [{ location: `/file_ids/${at}`, message }]));
  if (details.length > 0) throw badBody(details);
  return files.filter((file) => file !== undefined);
}

/** The account's uploads that belong to no job yet. */
export const unattachedFiles = (
  db: Db | Trx,
  accountId: string,
  fileIds: readonly string[],
  look: Look = 'locked',
): Promise<FileRow[]> =>
  namedFiles(
    db,
    { account_id: accountId, uploaded_by: 'customer' },
    fileIds,
    (file) => keptFault(file) ?? (file.job_id === null ? null : 'names a file that is already part of a job'),
    look,
  );

export async function attachFiles(trx: Trx, job: JobKey, files: readonly FileRow[], cause: Cause): Promise<void> {
  const ids = files.map(({ id }) => id);
  await trx
    .updateTable('files')
    .where('account_id', '=', job.account_id)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .set({ job_id: job.id })
    .execute();
  const attached = ids.map((id) => aboutFile('job.file_attached', id));
  await appendJobEvents(trx, job, attached, cause);
}

export async function releaseFiles(trx: Trx, job: JobKey): Promise<string[]> {
  const released = await trx
    .updateTable('files')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('submitted_at', 'is not', null)
    .where('released_at', 'is', null)
    .set({ released_at: sql`now()` })
    .returning('id')
    .execute();
  return released.map(({ id }) => id).toSorted();
}
