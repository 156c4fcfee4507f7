import type { listComments as endpoint } from '../../contract/review/comments.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedJobId } from '../jobs/job.ts';
import type { Signer } from '../lib/signer.ts';
import { memberOf } from '../jobs/job-comment.ts';
import { commentPage } from './comment-page.ts';

export async function listComments(
  { db, signer }: { db: Db; signer: Signer },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const job = { account_id: caller.accountId, id: await ownedJobId(db, caller.accountId, params.id) };
  return { status: 200, body: await commentPage(db, signer, job, memberOf(caller), query) };
}
