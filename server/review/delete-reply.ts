import type { deleteReply as endpoint } from '../../contract/review/comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockJob } from '../jobs/job.ts';
import { memberOf, showComment } from '../jobs/job-comment.ts';
import { findComment, refuseOther, refuseUnlessOpen } from './comment.ts';
import { findReply, removeReply } from './reply.ts';

export async function deleteReply(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  const member = memberOf(caller);
  return transact(db, async (trx) => {
    const job = await lockJob(trx, accountId, params.id);
    const comment = await findComment(trx, job, params.comment_id);
    const reply = findReply(comment, params.reply_id);
    refuseUnlessOpen(job, comment);
    if (reply.review_link_id === null) refuseOther(reply, member);
    await removeReply(trx, job, comment, reply);
    const subject = params.comment_id;
    await appendAudit(trx, cause, { action: 'comment.reply_deleted', subject, accountId });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 200, body: { comment: showComment(await findComment(trx, job, subject), member) } };
  });
}
