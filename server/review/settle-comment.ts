import { sql } from 'kysely';
import type { settleComment as endpoint } from '../../contract/review/comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type JobRow, lockJob } from '../jobs/job.ts';
import { type Commenter, type CommentRow, memberOf, showComment } from '../jobs/job-comment.ts';
import { findComment, refuseUnlessOpen } from './comment.ts';

/** The first call counts: settling what is settled changes nothing. */
export async function settleComment(
  { db }: { db: Db },
  { caller, params, body: { settled }, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { accountId } = caller;
  const { comment_id: subject } = params;
  const member = memberOf(caller);
  return transact(db, async (trx) => {
    const job = await lockJob(trx, accountId, params.id);
    const comment = await findComment(trx, job, subject);
    refuseUnlessOpen(job, comment);
    if ((comment.settled_at !== null) === settled)
      return { status: 200, body: { comment: showComment(comment, member) } };
    await settle(trx, job, comment, settled ? member : null);
    const action = settled ? 'comment.settled' : 'comment.unsettled';
    await appendAudit(trx, cause, { action, subject, accountId });
    await announceUnlogged(trx, accountId, 'comments');
    return { status: 200, body: { comment: showComment(await findComment(trx, job, subject), member) } };
  });
}

const settle = (trx: Trx, job: JobRow, comment: CommentRow, by: Commenter | null) =>
  trx
    .updateTable('job_comments')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('id', '=', comment.id)
    .set({
      settled_at: by ? sql`now()` : null,
      settled_by_user: by?.userId ?? null,
      settled_by_key: by?.apiKeyId ?? null,
    })
    .execute();
