import type { completeUpload as endpoint } from '../../contract/files/uploads.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showFile } from '../jobs/job-file.ts';
import { ownUpload } from './file.ts';
import type { FilmReading } from './films/film.ts';
import { finalizeUpload } from './finalize-upload.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

/** Completes an upload once its bytes are verified and copied. */
export async function completeUpload(
  { db, storage, catalog, config }: { db: Db; storage: Storage; catalog: Catalog; config: FilmReading },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await ownUpload(db, caller.accountId, params.id);
  return { status: 200, body: { file: showFile(await finalizeUpload({ db, storage, catalog, config }, file, cause)) } };
}
