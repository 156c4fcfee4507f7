import { sql } from 'kysely';
import { retentionDays } from '../../contract/files/file.ts';
import type { Trx } from '../db/pool.ts';
import { type FilmReading, newViewing } from '../files/films/film.ts';
import { newPoster } from '../files/finalize-upload.ts';
import { newId } from '../lib/id.ts';
import type { JobOfImport } from './read-import.ts';
import { momentOf } from './rows.ts';
import type { SourceFile } from './source-file.ts';
import type { StoredFile } from './store-files.ts';

type NewJob = { row: JobOfImport; id: string; createdBy: string };
export type Terms = { stored: ReadonlyMap<SourceFile, StoredFile>; config: FilmReading };

const atOnce = 500;

/**
 * Past jobs, each with its outcome and, if completed, the delivery of its files. No event, usage, mail or
 * notification is written: nothing of this happened here. `events_deleted_at` says that there is no history.
 */
export async function writeJobs(trx: Trx, accountId: string, jobs: readonly NewJob[], terms: Terms): Promise<void> {
  for (let at = 0; at < jobs.length; at += atOnce) {
    const some = jobs.slice(at, at + atOnce);
    await insertJobs(trx, accountId, some);
    for (const job of some) await insertFiles(trx, accountId, job, terms);
  }
}

async function insertJobs(trx: Trx, accountId: string, jobs: readonly NewJob[]): Promise<void> {
  const rows = jobs.map(({ row: { cells }, id, createdBy }) => ({
    id,
    created_by: createdBy,
    status: cells.status,
    service_family: cells.service_family,
    service_type: cells.service_type,
    title: cells.title,
    instructions: cells.instructions || cells.title,
    reference: cells.reference || null,
    message: cells.message || null,
    reason: cells.reason || null,
    created_at: momentOf(cells.created_at),
    ended_at: momentOf(cells.ended_at),
  }));
  const listed = sql`json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, created_by uuid, status text,
    service_family text, service_type text, title text, instructions text, reference text, message text, reason text,
    created_at timestamptz, ended_at timestamptz)`;
  await sql`
    insert into jobs (account_id, id, status, service_family, service_type, customer_title, customer_instructions,
      reference, source, plan_code, created_by_user, quality_review, auto_approval_hours, revisions_included,
      ever_submitted, ever_released, reason_code, reason_message, created_at, status_changed_at, imported_at)
    select ${accountId}, r.id, r.status, r.service_family, r.service_type, r.title, r.instructions, r.reference,
      'dashboard', '', r.created_by, false, 1, 0, r.status = 'completed', r.status = 'completed',
      case when r.status = 'rejected' then 'other' end, r.reason, r.created_at, r.ended_at, now()
    from ${listed}`.execute(trx);
  await sql`
    insert into unindexed_jobs (account_id, job_id) select ${accountId}, r.id from ${listed}
    on conflict do nothing`.execute(trx);
  await sql`
    insert into job_submissions (account_id, job_id, round, message, created_at, released_at)
    select ${accountId}, r.id, 0, r.message, r.ended_at, r.ended_at from ${listed} where r.status = 'completed'`.execute(
    trx,
  );
  await sql`
    insert into job_outcomes (account_id, job_id, ended_at, status, service_family, service_type, due_deliveries,
      on_time_deliveries, revision_rounds, reason_code, events_deleted_at, imported_at)
    select ${accountId}, r.id, r.ended_at, r.status, r.service_family, r.service_type, 0, 0, 0,
      case when r.status = 'rejected' then 'other' end, now(), now()
    from ${listed}`.execute(trx);
}

/** Retention counts from `uploaded_at`, which is the import. */
async function insertFiles(trx: Trx, accountId: string, { row, id }: NewJob, { stored, config }: Terms): Promise<void> {
  const ended = momentOf(row.cells.ended_at);
  const values = row.files.flatMap((file, index) => {
    const object = stored.get(file);
    if (!object || !ended) return [];
    return {
      id: newId(),
      account_id: accountId,
      job_id: id,
      uploaded_by: 'studio' as const,
      purpose: 'job_deliverable' as const,
      file_name: file.file_name,
      content_type: file.content_type,
      declared_bytes: object.bytes,
      stored_bytes: object.bytes,
      retention_days: retentionDays.default,
      status: 'uploaded' as const,
      object_key: object.key,
      etag: object.etag,
      uploaded_at: sql<Date>`now()`,
      round: 0,
      position: index + 1,
      submitted_at: ended,
      released_at: ended,
      ...newPoster(file, config),
      ...newViewing(config, file),
    };
  });
  if (values.length > 0) await trx.insertInto('files').values(values).execute();
}
