import type { listDeskComments as endpoint } from '../../../contract/desk/comments.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { studioOf } from '../../jobs/job-comment.ts';
import type { Signer } from '../../lib/signer.ts';
import { commentPage } from '../../review/comment-page.ts';
import { deskJobKey } from './desk-thread.ts';

export async function listDeskComments(
  { db, signer }: { db: Db; signer: Signer },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = await deskJobKey(db, caller, params.id);
  return { status: 200, body: await commentPage(db, signer, job, studioOf(caller), query) };
}
