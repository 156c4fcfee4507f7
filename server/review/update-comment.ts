import { sql } from 'kysely';
import type { updateComment as endpoint } from '../../contract/review/comments.ts';
import type { AnswerOf, Body } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import { badBody } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { type JobRow, jobUuid, lockJob } from '../jobs/job.ts';
import { memberOf, type CommentRow, showComment } from '../jobs/job-comment.ts';
import { unsafe } from '../safety/policy.ts';
import { findComment, refuseOther, refuseSent } from './comment.ts';
import { checkPlace } from './write-comments.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';

/** An Idempotency-Key remembers only the id, as with a new comment. */
export async function updateComment(
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
    refuseSent(comment);
    refuseOther(comment, member);
    await changeComment(trx, job, comment, body);
    await appendAudit(trx, cause, { action: 'comment.updated', subject: comment_id, accountId });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 200 as const, body: { comment_id } };
  });
  const job = { account_id: accountId, id: jobUuid(params.id) };
  return { ...answer, body: { comment: showComment(await findComment(db, job, comment_id), member) } };
}

async function changeComment(
  trx: Trx,
  job: JobRow,
  comment: CommentRow,
  { text = comment.text, at = comment.at }: Body<typeof endpoint>,
): Promise<void> {
  const place = checkPlace(at, comment.content_type);
  if ('fault' in place) throw badBody([{ location: '/at', message: place.fault }]);
  const danger = unsafe([['/text', text]]);
  if (danger) throw danger;
  await trx
    .updateTable('job_comments')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('id', '=', comment.id)
    .set({ text, at: place.at, updated_at: sql`now()` })
    .execute();
}
