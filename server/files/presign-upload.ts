import type { AnswerOf } from '../../contract/endpoint.ts';
import { type Purpose, purposes } from '../../contract/file.ts';
import type { presignUpload as endpoint } from '../../contract/uploads.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Request } from '../http/request.ts';
import { readClock } from '../jobs/clock.ts';
import { jobUuid } from '../jobs/job.ts';
import type { Trx, Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import { showUpload } from './file.ts';
import { createPendingFile } from './create-pending-file.ts';
import { type FileLimits, jobEnded, storageLimitRefusal, uploadFault } from './upload-rules.ts';
import type { Storage } from './storage.ts';

/** An Idempotency-Key remembers only the id: a replay signs the URL again while it is valid. */
export async function presignUpload(
  { db, storage, config, catalog }: { db: Db; storage: Storage; config: FileLimits; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { accountId } = caller;
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const jobId = body.job_id === undefined ? null : await openJob(trx, accountId, body.job_id, body.purpose);
    const fault =
      uploadFault(catalog, purposes, body) ?? (await storageLimitRefusal(trx, accountId, config, body.size_bytes));
    if (fault) throw fault;
    const owner = {
      account_id: accountId,
      job_id: jobId,
      uploaded_by: 'customer' as const,
      purpose: body.purpose as Purpose,
    };
    return createPendingFile(trx, owner, body, cause);
  });
  return { ...answer, body: await showUpload(db, storage, answer.body) };
}

/** Locks the job before the account, like every move. The new row refers to it and would lock it later. */
async function openJob(trx: Trx, accountId: string, id: string, purpose: string): Promise<string> {
  const job = await trx
    .selectFrom('jobs')
    .select(['id', 'status', 'status_changed_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', jobUuid(id))
    .forKeyShare()
    .executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  const ended = jobEnded(job, purpose, await readClock(trx));
  if (ended) throw ended;
  return job.id;
}
