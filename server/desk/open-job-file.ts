import type { AnswerOf } from '../../contract/endpoint.ts';
import type { openJobFile as endpoint } from '../../contract/deliverables.ts';
import type { Request } from '../http/request.ts';
import { downloadOf } from '../files/file.ts';
import { uploadedJobFile } from './desk-file.ts';
import type { Db } from '../db/pool.ts';
import type { Storage } from '../files/storage.ts';

/** Sends the page on to the bytes. The URL is signed for this moment, so no cache may keep it. */
export async function openJobFile(
  { db, storage }: { db: Db; storage: Storage },
  { params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { url } = await downloadOf(storage, await uploadedJobFile(db, params.id));
  return { status: 303, body: undefined, headers: { location: url, 'cache-control': 'no-store' } };
}
