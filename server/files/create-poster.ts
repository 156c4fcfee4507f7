import type { createPoster as endpoint } from '../../contract/files/uploads.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { addPoster } from './add-poster.ts';
import { ownUpload } from './file.ts';
import type { Storage } from './storage.ts';

export async function createPoster(
  { db, storage }: { db: Db; storage: Storage },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params } = request;
  const file = await ownUpload(db, caller.accountId, params.id);
  return addPoster({ db, storage }, request, file);
}
