import type { createGuestComment as endpoint } from '../../contract/review/guest-comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { tellColleagues } from '../notifications/tell-colleagues.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showComment } from '../jobs/job-comment.ts';
import { showId } from '../lib/id.ts';
import { findComment, refuseUnlessInReview } from './comment.ts';
import { commenterOf, lockShared, refuseUnlessCommenter } from './guest.ts';
import { writeComments } from './write-comments.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';

/** An Idempotency-Key remembers only the id, as with the comment of a member. */
export async function createGuestComment(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { accountId } = caller;
  const { name, ...fields } = body;
  const guest = commenterOf(caller, name);
  refuseUnlessCommenter(caller);
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const job = await lockShared(trx, caller);
    refuseUnlessInReview(job);
    const [id = ''] = await writeComments(trx, job, guest, [fields], '');
    const comment_id = showId('cmt', id);
    await tellColleagues(trx, job, { state: 'comment', cause: id, userId: null });
    const subject = showId('rvl', caller.reviewLinkId);
    const details = { job_id: showId('job', job.id), comment_id };
    await appendAudit(trx, cause, { action: 'review_link.commented', subject, accountId, details });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 201 as const, body: { comment_id }, accountId };
  });
  const job = { account_id: accountId, id: caller.jobId };
  const comment = await findComment(db, job, answer.body.comment_id);
  return { ...answer, body: { comment: showComment(comment, guest) } };
}
