import type { deleteGuestReply as endpoint } from '../../contract/review/guest-comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showComment } from '../jobs/job-comment.ts';
import { showId } from '../lib/id.ts';
import { findComment, refuseOther, refuseUnlessOpen } from './comment.ts';
import { commenterOf, findShownComment, lockShared, refuseUnlessCommenter } from './guest.ts';
import { findReply, removeReply } from './reply.ts';

export async function deleteGuestReply(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const guest = commenterOf(caller);
  const { accountId } = caller;
  refuseUnlessCommenter(caller);
  return transact(db, async (trx) => {
    const job = await lockShared(trx, caller);
    const comment = await findShownComment(trx, job, caller, params.id);
    const reply = findReply(comment, params.reply_id);
    refuseUnlessOpen(job, comment);
    refuseOther(reply, guest);
    await removeReply(trx, job, comment, reply);
    const details = { review_link_id: showId('rvl', caller.reviewLinkId) };
    await appendAudit(trx, cause, { action: 'comment.reply_deleted', subject: params.id, accountId, details });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 200, body: { comment: showComment(await findComment(trx, job, params.id), guest) } };
  });
}
