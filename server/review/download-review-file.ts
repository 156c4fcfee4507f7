import { sql } from 'kysely';
import type { downloadReviewFile as endpoint } from '../../contract/review/review-links.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { copyOf, downloadOf, fileUuid } from '../files/file.ts';
import type { Storage } from '../files/storage.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { sharedFiles } from './guest.ts';

export async function downloadReviewFile(
  { db, storage, catalog }: { db: Db; storage: Storage; catalog: Catalog },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const file = await sharedFiles(db, caller)
    .select(sql<Date>`now()`.as('now'))
    .where('id', '=', fileUuid(params.id))
    .executeTakeFirst();
  if (!file)
    throw new Refusal('file_not_found', {
      action: 'Check the file id; GET /api/v1/review lists the files of the link.',
    });
  return { status: 200, body: { download: await downloadOf(storage, catalog, copyOf(file, query.copy)) } };
}
