import { type Purpose, purposes } from '../../contract/files/file.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { readClock } from '../jobs/clock.ts';
import { jobUuid } from '../jobs/job.ts';
import { createPendingFile } from './create-pending-file.ts';
import { type FileLimits, jobEnded, storageLimitRefusal, uploadFault } from './upload-rules.ts';

export type UploadDependencies = { config: FileLimits; catalog: Catalog };

type Wish = {
  purpose: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  retention_days?: number;
  job_id?: string;
};

/** Inserts a file of the account that waits for its bytes, or refuses it. */
export async function startUpload(
  trx: Trx,
  { config, catalog }: UploadDependencies,
  accountId: string,
  wish: Wish,
  cause: Cause,
) {
  const jobId = wish.job_id === undefined ? null : await openJob(trx, accountId, wish.job_id, wish.purpose);
  const fault =
    uploadFault(catalog, purposes, wish) ?? (await storageLimitRefusal(trx, accountId, config, wish.size_bytes));
  if (fault) throw fault;
  const owner = {
    account_id: accountId,
    job_id: jobId,
    uploaded_by: 'customer' as const,
    purpose: wish.purpose as Purpose,
  };
  return createPendingFile(trx, catalog, owner, wish, cause);
}

/** Locks the job before the account, like every move. The new row refers to it and would lock it later. */
async function openJob(trx: Trx, accountId: string, id: string, purpose: string): Promise<string> {
  const job = await trx
    .selectFrom('jobs')
    .select(['id', 'status', 'status_changed_at', 'imported_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', jobUuid(id))
    .forKeyShare()
    .executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  const ended = jobEnded(job, purpose, await readClock(trx));
  if (ended) throw ended;
  return job.id;
}
