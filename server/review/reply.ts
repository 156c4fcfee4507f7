import type { Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { JobRow } from '../jobs/job.ts';
import type { Commenter, CommentRow } from '../jobs/job-comment.ts';
import { readId } from '../lib/id.ts';
import { forgetColleagues } from '../notifications/notification.ts';
import { tellColleagues } from '../notifications/tell-colleagues.ts';
import { unsafe } from '../safety/policy.ts';
import { refuseBeyondLimits } from './write-comments.ts';

/** Adds a reply to an open comment of a locked job, and tells colleagues of it. */
export async function writeReply(
  trx: Trx,
  job: JobRow,
  comment: CommentRow,
  author: Commenter,
  text: string,
): Promise<void> {
  const danger = unsafe([['/text', text]]);
  if (danger) throw danger;
  await refuseBeyondLimits(trx, job, author, 1);
  const { id } = await trx
    .insertInto('comment_replies')
    .values({
      account_id: job.account_id,
      job_id: job.id,
      comment_id: comment.id,
      text,
      user_id: author.userId,
      api_key_id: author.apiKeyId,
      guest_name: author.guestName,
      review_link_id: author.reviewLinkId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tellColleagues(trx, job, { state: 'comment', cause: id, userId: author.userId });
}

/** The reply to a comment, or 404. */
export function findReply({ replies }: CommentRow, id: string): CommentRow['replies'][number] {
  const uuid = readId('rpl', id);
  const reply = replies.find((each) => each.id === uuid);
  if (!reply) throw new Refusal('reply_not_found');
  return reply;
}

export async function removeReply(trx: Trx, job: JobRow, comment: CommentRow, { id }: { id: string }): Promise<void> {
  const { account_id, id: job_id } = job;
  await trx
    .deleteFrom('comment_replies')
    .where((row) => row.and({ account_id, job_id, comment_id: comment.id, id }))
    .execute();
  await forgetColleagues(trx, job);
}
