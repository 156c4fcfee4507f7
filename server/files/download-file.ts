import type { AnswerOf } from '../../contract/endpoint.ts';
import type { downloadFile as endpoint } from '../../contract/files/files.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type Db, transact } from '../db/pool.ts';
import { isView, type Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { copyOf, downloadOf, visibleFile } from './file.ts';
import { noteDownload } from './note-download.ts';
import type { Storage } from './storage.ts';

/** The URL is signed for this moment, so no cache may store it. */
export async function downloadFile(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  { caller, params, query, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = copyOf(await visibleFile(db, caller, params.id), query.copy);
  if (isView(caller)) {
    const { job_id } = file;
    // Drafts, templates and the brand kit are the customer's own.
    if (job_id === null) throw new Refusal('file_not_found');
    await transact(db, (trx) => noteDownload(trx, cause, { ...file, job_id }));
  }
  const { url } = await downloadOf(storage, catalog, file);
  return { status: 303, body: undefined, headers: { location: url, 'cache-control': 'no-store' } };
}
