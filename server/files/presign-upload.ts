import type { presignUpload as endpoint } from '../../contract/files/uploads.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { logBounds } from '../events/event.ts';
import { waitFor } from '../jobs/next-action.ts';
import type { Signer } from '../lib/signer.ts';
import { showUpload } from './file.ts';
import { startUpload, type UploadDependencies } from './start-upload.ts';
import type { Storage } from './storage.ts';
import { openUploadPage } from './upload-page.ts';

type Dependencies = UploadDependencies & { db: Db; storage: Storage; signer: Signer; publicUrl: string };

/** An Idempotency-Key remembers only the id: a replay signs the URL again while it is valid. */
export async function presignUpload(
  { db, storage, catalog, config, signer, publicUrl }: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  await storage.ready();
  const answer = await withIdempotencyKey(db, request, (trx) =>
    startUpload(trx, { catalog, config }, caller.accountId, body, cause),
  );
  const presigned = await showUpload(db, storage, answer.body);
  // The pages of a browser upload files themselves.
  const needsPage = presigned.file.status === 'pending_upload' && !(caller.method === 'session' && caller.byCookie);
  const page = needsPage ? await openUploadPage({ db, signer, publicUrl }, caller, answer.body) : null;
  const after = page ? (await logBounds(db, caller.accountId)).latest : null;
  return { ...answer, body: { ...presigned, page, next_action: nextAction(presigned.file, after) } };
}

type Presigned = Awaited<ReturnType<typeof showUpload>>;

/** `after`: the end of the log, if a person may send the file instead. */
function nextAction({ id, status, job_id }: Presigned['file'], after: number | null): string {
  if (status !== 'pending_upload') return 'The file is uploaded; there is nothing left to do.';
  const send = `Send the bytes to upload.url, then complete the file with POST /api/v1/files/${id}/complete`;
  if (after === null) return `${send} to use it.`;
  return `${send} or give your user page.url. ${waitFor(job_id, [job_id === undefined ? 'file.uploaded' : 'job.file_attached'], after)}`;
}
