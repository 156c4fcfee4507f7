import type { AnswerOf } from '../../contract/endpoint.ts';
import type { completeDeliverable as endpoint } from '../../contract/deliverables.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Request } from '../http/request.ts';
import { fileUuid } from '../files/file.ts';
import { finalizeUpload } from '../files/finalize-upload.ts';
import { showFile } from '../jobs/job-file.ts';
import { Refusal } from '../http/refusal.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from '../files/storage.ts';

/** Workers can complete only their own deliverables. */
export async function completeDeliverable(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where('uploaded_by', '=', 'studio')
    .where('id', '=', fileUuid(params.id))
    .executeTakeFirst();
  if (!file || (caller.method === 'worker_key' && file.worker_key_id !== caller.keyId))
    throw new Refusal('file_not_found');
  return { status: 200, body: { file: showFile(await finalizeUpload({ db, storage, catalog }, file, cause)) } };
}
