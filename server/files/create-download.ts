import type { AnswerOf } from '../../contract/endpoint.ts';
import type { createDownload as endpoint } from '../../contract/files.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Request } from '../http/request.ts';
import { downloadOf, visibleFile } from './file.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

/** A short-lived URL of an upload of the account or of a deliverable released to it. */
export async function createDownload(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  { caller, params }: Pick<Request<typeof endpoint>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await visibleFile(db, caller.accountId, params.id);
  return { status: 200, body: { download: await downloadOf(storage, catalog, file) } };
}
