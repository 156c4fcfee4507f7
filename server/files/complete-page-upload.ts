import type { completePageUpload as endpoint } from '../../contract/files/upload-pages.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showFile } from '../jobs/job-file.ts';
import type { FilmReading } from './films/film.ts';
import { addFrame } from './add-poster.ts';
import { finalizeUpload } from './finalize-upload.ts';
import type { Storage } from './storage.ts';
import { causeOfPage, findUploadPage } from './upload-page.ts';

/** The page ends once its file is no longer pending. The caller who made the page waits for the event. */
export async function completePageUpload(
  { db, storage, catalog, config }: { db: Db; storage: Storage; catalog: Catalog; config: FilmReading },
  { body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const page = await findUploadPage(db, body.token);
  const dependencies = { db, storage, catalog, config, isAwaited: true };
  const file = await finalizeUpload(dependencies, page.file, causeOfPage(page, cause));
  // The file has arrived, whatever becomes of its poster.
  if (body.poster) await addFrame({ db, storage }, file, body.poster, causeOfPage(page, cause)).catch(() => {});
  const { file_name, size_bytes } = showFile(file);
  return { status: 200, body: { file_name, size_bytes } };
}
