import type { AnswerOf } from '../../contract/endpoint.ts';
import type { downloadFile as endpoint } from '../../contract/files.ts';
import type { Request } from '../http/request.ts';
import { createDownload } from './create-download.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

/** Sends the caller on to the bytes. The URL is signed for this moment, so no cache may keep it. */
export async function downloadFile(
  parts: { db: Db; storage: Storage },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { body } = await createDownload(parts, request);
  return { status: 303, body: undefined, headers: { location: body.download.url, 'cache-control': 'no-store' } };
}
