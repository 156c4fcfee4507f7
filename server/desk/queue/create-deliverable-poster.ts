import type { createDeliverablePoster as endpoint } from '../../../contract/desk/deliverables.ts';
import type { Db } from '../../db/pool.ts';
import { addPoster } from '../../files/add-poster.ts';
import type { Storage } from '../../files/storage.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { ownStudioFile } from './desk-file.ts';

/** Workers can add posters to their own deliverables only. */
export async function createDeliverablePoster(
  { db, storage }: { db: Db; storage: Storage },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params } = request;
  const file = await ownStudioFile(db, caller, params.id);
  return addPoster({ db, storage }, request, file);
}
