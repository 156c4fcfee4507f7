import type { listGuestComments as endpoint } from '../../contract/review/guest-comments.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { commentPage } from './comment-page.ts';
import { commenterOf, latestRound, refuseUnlessCommenter } from './guest.ts';

export async function listGuestComments(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnlessCommenter(caller);
  const round = (await latestRound(db, caller)) ?? 0; // before the first delivery there are none
  const job = { account_id: caller.accountId, id: caller.jobId };
  return { status: 200, body: await commentPage(db, signer, job, commenterOf(caller), { ...query, round }) };
}
