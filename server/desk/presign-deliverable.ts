import type { AnswerOf } from '../../contract/endpoint.ts';
import type { presignDeliverable as line } from '../../contract/desk.ts';
import type { Ask } from '../accounts/ask.ts';
import { showUpload } from '../files/file.ts';
import { type FileHouse, retentionDays } from '../files/presign-upload.ts';
import { jobEnded, uploadFault } from '../files/upload-rules.ts';
import { newId } from '../kit/id.ts';
import { once } from '../kit/once.ts';
import { refuseUnlessHolding } from './desk-file.ts';
import { lockedDeskJob, ownerOf } from './desk-move.ts';

const purpose = 'job_deliverable';

/** Takes note of a file that the studio makes for a job. The customer sees nothing of it until a pass releases it. */
export async function presignDeliverable(
  { db, storage, catalog }: FileHouse,
  { caller, params, body, idempotencyKey }: Ask<typeof line>,
): Promise<AnswerOf<typeof line>> {
  const route = `POST /api/operator/v1/jobs/${params.id}/files/presign`;
  const attempt = { ownerId: ownerOf(caller), route, key: idempotencyKey, body };
  const answer = await once(db, attempt, async (trx) => {
    const job = await lockedDeskJob(trx, params.id);
    await refuseUnlessHolding(trx, caller, job, body.lease_token);
    const fault =
      jobEnded(job.status) ?? uploadFault(catalog, [purpose], { ...body, purpose: body.purpose ?? purpose });
    if (fault) throw fault;
    const file = {
      id: newId(),
      account_id: job.account_id,
      job_id: job.id,
      uploaded_by: 'studio',
      worker_key_id: caller.method === 'worker_key' ? caller.keyId : null,
      purpose,
      file_name: body.file_name,
      content_type: body.content_type,
      declared_bytes: body.size_bytes,
      retention_days: body.retention_days ?? retentionDays,
    };
    await trx.insertInto('files').values(file).execute();
    return { status: 201 as const, body: { uuid: file.id }, headers: {} };
  });
  return { ...answer, body: await showUpload(db, storage, answer.body.uuid) };
}
