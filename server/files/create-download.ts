import type { createDownload as endpoint } from '../../contract/files/files.ts';
import { customerPages } from '../../contract/pages.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { downloadOf, visibleFile } from './file.ts';
import { readInline } from './read-inline.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

/** A short-lived URL of an upload of the account or of a deliverable released to it. */
export async function createDownload(
  { db, storage, catalog, publicUrl }: { db: Db; storage: Storage; catalog: Catalog; publicUrl: string },
  { caller, params, body }: Pick<Request<typeof endpoint>, 'caller' | 'params' | 'body'>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await visibleFile(db, caller, params.id);
  const { file_name, content_type, job_id, stored_bytes, declared_bytes } = file;
  const page = job_id === null ? customerPages.files : customerPages.job.replace(':id', showId('job', job_id));
  return {
    status: 200,
    body: {
      download: await downloadOf(storage, catalog, file),
      page: `${publicUrl}${page}`,
      file_name,
      content_type,
      size_bytes: stored_bytes ?? declared_bytes,
      ...(body.inline ? { inline: await readInline(storage, file) } : {}),
    },
  };
}
