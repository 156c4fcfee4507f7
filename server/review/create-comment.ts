import type { createComment as endpoint } from '../../contract/review/comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { tellColleagues } from '../notifications/tell-colleagues.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { jobUuid, lockJob } from '../jobs/job.ts';
import { memberOf, showComment } from '../jobs/job-comment.ts';
import { showId } from '../lib/id.ts';
import { findComment, refuseUnlessInReview } from './comment.ts';
import { writeComments } from './write-comments.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';

/** An Idempotency-Key remembers only the id, so that no copy of the text outlives its comment. */
export async function createComment(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  const member = memberOf(caller);
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, accountId, params.id);
    refuseUnlessInReview(job);
    const [id = ''] = await writeComments(trx, job, member, [body], '');
    const comment_id = showId('cmt', id);
    await tellColleagues(trx, job, { state: 'comment', cause: id, userId: member.userId });
    await appendAudit(trx, cause, { action: 'comment.created', subject: comment_id, accountId });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 201 as const, body: { comment_id } };
  });
  const job = { account_id: accountId, id: jobUuid(params.id) };
  const comment = await findComment(db, job, answer.body.comment_id);
  return { ...answer, body: { comment: showComment(comment, member) } };
}
