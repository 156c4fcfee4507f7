import type { listCatalogVersions as endpoint } from '../../contract/desk/catalog-versions.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { listVersions, showVersion } from './catalog-version.ts';

export async function listCatalogVersions(
  { db, signer, config }: { db: Db; signer: Signer; config: { catalogInFiles: boolean } },
  { query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listCatalogVersions'];
  const from = readCursor(signer, scope, cursor);
  const rows = await listVersions(db, from && Number(from.id), limit + 1);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, ({ number, created_at: at }) => ({
    at,
    id: String(number),
  }));
  return {
    status: 200,
    body: { catalog_versions: page.map(showVersion), in_files: config.catalogInFiles, next_cursor },
  };
}
