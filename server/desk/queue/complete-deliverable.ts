import type { completeDeliverable as endpoint } from '../../../contract/desk/deliverables.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import type { FilmReading } from '../../files/films/film.ts';
import { finalizeUpload } from '../../files/finalize-upload.ts';
import { showFile } from '../../jobs/job-file.ts';
import type { Db } from '../../db/pool.ts';
import type { Storage } from '../../files/storage.ts';
import { ownStudioFile } from './desk-file.ts';

/** Workers can complete only their own deliverables. */
export async function completeDeliverable(
  { db, storage, catalog, config }: { db: Db; storage: Storage; catalog: Catalog; config: FilmReading },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await ownStudioFile(db, caller, params.id);
  return { status: 200, body: { file: showFile(await finalizeUpload({ db, storage, catalog, config }, file, cause)) } };
}
