import { appendAuditOnce } from '../audit/append-audit.ts';
import type { Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { showId } from '../lib/id.ts';

/** A download by the studio. Recorded before the URL is signed, so that no download goes unrecorded. */
export const noteDownload = (trx: Trx, cause: Cause, file: { id: string; account_id: string; job_id: string }) =>
  appendAuditOnce(trx, cause, {
    action: 'file.downloaded_at_desk',
    subject: showId('file', file.id),
    accountId: file.account_id,
    details: { job_id: showId('job', file.job_id) },
  });

/** `files`: how many the job had at this moment. */
export const noteArchive = (trx: Trx, cause: Cause, job: { id: string; account_id: string }, files: number) =>
  appendAuditOnce(trx, cause, {
    action: 'file.downloaded_at_desk',
    subject: showId('job', job.id),
    accountId: job.account_id,
    details: { job_id: showId('job', job.id), files },
  });
