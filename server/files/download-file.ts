import type { AnswerOf } from '../../contract/endpoint.ts';
import type { downloadFile as endpoint } from '../../contract/files.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Request } from '../http/request.ts';
import { createDownload } from './create-download.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

/** The URL is signed for this moment, so no cache may store it. */
export async function downloadFile(
  dependencies: { db: Db; storage: Storage; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { body } = await createDownload(dependencies, request);
  return { status: 303, body: undefined, headers: { location: body.download.url, 'cache-control': 'no-store' } };
}
