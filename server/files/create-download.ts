import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { createDownload as endpoint } from '../../contract/files.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { downloadOf, fileUuid } from './file.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

/** A short-lived URL of an upload of the account or of a deliverable released to it. */
export async function createDownload(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  { caller, params }: Pick<Request<typeof endpoint>, 'caller' | 'params'>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await db
    .selectFrom('visible_files')
    .selectAll()
    .select(sql<Date>`now()`.as('now'))
    .where('account_id', '=', caller.accountId)
    .where('id', '=', fileUuid(params.id))
    .where('status', '=', 'uploaded')
    .$narrowType<{ content_type: string; file_name: string }>()
    .executeTakeFirst();
  if (!file) throw new Refusal('file_not_found');
  return { status: 200, body: { download: await downloadOf(storage, catalog, file) } };
}
