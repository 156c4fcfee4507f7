import type { openJobFile as endpoint } from '../../../contract/desk/deliverables.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { copyOf, downloadOf } from '../../files/file.ts';
import { noteDownload } from '../../files/note-download.ts';
import { uploadedJobFile } from './desk-file.ts';
import { type Db, transact } from '../../db/pool.ts';
import type { Storage } from '../../files/storage.ts';

/** The URL is signed for this moment, so no cache may store it. */
export async function openJobFile(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  { params, query, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = copyOf(await uploadedJobFile(db, params.id), query.copy);
  await transact(db, (trx) => noteDownload(trx, cause, file));
  const { url } = await downloadOf(storage, catalog, file);
  return { status: 303, body: undefined, headers: { location: url, 'cache-control': 'no-store' } };
}
