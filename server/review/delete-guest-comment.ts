import type { deleteGuestComment as endpoint } from '../../contract/review/guest-comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showComment } from '../jobs/job-comment.ts';
import { showId } from '../lib/id.ts';
import { refuseOther, refuseSent, refuseUnlessInReview } from './comment.ts';
import { removeComment } from './delete-comment.ts';
import { commenterOf, findShownComment, lockShared, refuseUnlessCommenter } from './guest.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';

export async function deleteGuestComment(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const guest = commenterOf(caller);
  const { accountId } = caller;
  refuseUnlessCommenter(caller);
  return transact(db, async (trx) => {
    const job = await lockShared(trx, caller);
    const comment = await findShownComment(trx, job, caller, params.id);
    refuseSent(comment);
    refuseUnlessInReview(job);
    refuseOther(comment, guest);
    await removeComment(trx, job, comment);
    const details = { review_link_id: showId('rvl', caller.reviewLinkId) };
    await appendAudit(trx, cause, { action: 'comment.deleted', subject: params.id, accountId, details });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 200, body: { comment: showComment(comment, guest) } };
  });
}
