import { deskPurposes, type presignDeliverable as endpoint } from '../../../contract/desk/deliverables.ts';
import type { Purpose } from '../../../contract/files/file.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { readClock } from '../../jobs/clock.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { showUpload } from '../../files/file.ts';
import { createPendingFile } from '../../files/create-pending-file.ts';
import { jobEnded, uploadFault } from '../../files/upload-rules.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import { lockForDesk } from './lease.ts';
import type { Db } from '../../db/pool.ts';
import type { Storage } from '../../files/storage.ts';

/** Registers a file of the studio. The customer sees it once a pass releases it or a message sends it. */
export async function presignDeliverable(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  await storage.ready();
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const job = await lockForDesk(trx, caller, params.id, body.lease_token);
    const { purpose = 'job_deliverable' } = body;
    const fault =
      jobEnded(job, purpose, await readClock(trx)) ?? uploadFault(catalog, deskPurposes, { ...body, purpose });
    if (fault) throw fault;
    const { account_id, id: job_id } = job;
    const worker_key_id = caller.method === 'worker_key' ? caller.keyId : null;
    const owner = { account_id, job_id, uploaded_by: 'studio', worker_key_id, purpose: purpose as Purpose } as const;
    return { ...(await createPendingFile(trx, catalog, owner, body, cause)), accountId: account_id };
  });
  return { ...answer, body: await showUpload(db, storage, answer.body) };
}
