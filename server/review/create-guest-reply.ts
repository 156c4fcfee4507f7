import type { createGuestReply as endpoint } from '../../contract/review/guest-comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showComment } from '../jobs/job-comment.ts';
import { showId } from '../lib/id.ts';
import { findComment, refuseUnlessOpen } from './comment.ts';
import { commenterOf, findShownComment, lockShared, refuseUnlessCommenter } from './guest.ts';
import { writeReply } from './reply.ts';

/** An Idempotency-Key remembers only the id of the comment. */
export async function createGuestReply(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  const guest = commenterOf(caller, body.name);
  refuseUnlessCommenter(caller);
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const job = await lockShared(trx, caller);
    const comment = await findShownComment(trx, job, caller, params.id);
    refuseUnlessOpen(job, comment);
    await writeReply(trx, job, comment, guest, body.text);
    const subject = showId('rvl', caller.reviewLinkId);
    const details = { job_id: showId('job', job.id), comment_id: params.id };
    await appendAudit(trx, cause, { action: 'review_link.commented', subject, accountId, details });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 201 as const, body: { comment_id: params.id }, accountId };
  });
  const job = { account_id: accountId, id: caller.jobId };
  return { ...answer, body: { comment: showComment(await findComment(db, job, params.id), guest) } };
}
