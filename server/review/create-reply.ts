import type { createReply as endpoint } from '../../contract/review/comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { jobUuid, lockJob } from '../jobs/job.ts';
import { memberOf, showComment } from '../jobs/job-comment.ts';
import { findComment, refuseUnlessOpen } from './comment.ts';
import { writeReply } from './reply.ts';

/** An Idempotency-Key remembers only the id of the comment. */
export async function createReply(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  const { comment_id } = params;
  const member = memberOf(caller);
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, accountId, params.id);
    const comment = await findComment(trx, job, comment_id);
    refuseUnlessOpen(job, comment);
    await writeReply(trx, job, comment, member, body.text);
    await appendAudit(trx, cause, { action: 'comment.replied', subject: comment_id, accountId });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 201 as const, body: { comment_id } };
  });
  const job = { account_id: accountId, id: jobUuid(params.id) };
  return { ...answer, body: { comment: showComment(await findComment(db, job, comment_id), member) } };
}
