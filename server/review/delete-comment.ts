import { sql } from 'kysely';
import type { deleteComment as endpoint } from '../../contract/review/comments.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockJob } from '../jobs/job.ts';
import { memberOf, type CommentRow, showComment } from '../jobs/job-comment.ts';
import type { JobKey } from '../jobs/job-event.ts';
import { forgetColleagues } from '../notifications/notification.ts';
import { findComment, refuseOther, refuseSent } from './comment.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';

export async function deleteComment(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const member = memberOf(caller);
  return transact(db, async (trx) => {
    const job = await lockJob(trx, caller.accountId, params.id);
    const comment = await findComment(trx, job, params.comment_id);
    refuseSent(comment);
    if (comment.review_link_id === null) refuseOther(comment, member);
    await removeComment(trx, job, comment);
    const subject = params.comment_id;
    await appendAudit(trx, cause, { action: 'comment.deleted', subject, accountId: job.account_id });
    await announceUnlogged(trx, job.account_id, 'comments');
    return { status: 200, body: { comment: showComment(comment, member) } };
  });
}

export async function removeComment(trx: Trx, job: JobKey, { id }: CommentRow): Promise<void> {
  await trx
    .deleteFrom('job_comments')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('id', '=', id)
    .execute();
  await forgetColleagues(trx, job);
}

/** What guests wrote through a link and nobody has sent. Returns the comments that this changes. */
export async function removeUnsentOf(trx: Trx, job: JobKey, linkId: string) {
  const { account_id, id: job_id } = job;
  const { rows } = await sql<{ id: string }>`
    with replies as (
      delete from comment_replies r using job_comments c
      where r.account_id = ${account_id} and r.job_id = ${job_id} and r.review_link_id = ${linkId}
        and c.account_id = ${account_id} and c.job_id = ${job_id} and c.id = r.comment_id and c.sent_at is null
      returning r.comment_id as id),
    comments as (
      delete from job_comments
      where account_id = ${account_id} and job_id = ${job_id} and review_link_id = ${linkId} and sent_at is null
      returning id)
    select id from replies union select id from comments`.execute(trx);
  await forgetColleagues(trx, job);
  return rows;
}
