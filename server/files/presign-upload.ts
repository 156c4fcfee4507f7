import type { AnswerOf } from '../../contract/endpoint.ts';
import type { presignUpload as endpoint } from '../../contract/uploads.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
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
  return { ...answer, body: { ...presigned, page } };
}
