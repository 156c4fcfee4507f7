import type { AnswerOf } from '../../contract/endpoint.ts';
import type { completeUpload as endpoint } from '../../contract/files.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Request } from '../http/request.ts';
import { showFile } from '../jobs/job-file.ts';
import { Refusal } from '../http/refusal.ts';
import { fileUuid } from './file.ts';
import { finalizeUpload } from './finalize-upload.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

/** Completes an upload once its bytes are verified and copied. */
export async function completeUpload(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where('account_id', '=', caller.accountId)
    .where('uploaded_by', '=', 'customer')
    .where('id', '=', fileUuid(params.id))
    .executeTakeFirst();
  if (!file) throw new Refusal('file_not_found');
  return { status: 200, body: { file: showFile(await finalizeUpload({ db, storage, catalog }, file, cause)) } };
}
