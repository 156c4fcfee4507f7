import { canMove } from '../../contract/moves.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { JobRow } from '../jobs/job.ts';
import { type Commenter, type CommentRow, isAuthor, readComments } from '../jobs/job-comment.ts';
import type { JobKey } from '../jobs/job-event.ts';
import { readId } from '../lib/id.ts';

export function refuseUnlessInReview({ status }: JobRow): void {
  if (canMove('revision', status)) return;
  throw new Refusal('invalid_transition', {
    message: `The job is ${status}: only a delivery that is ready_for_customer_review takes comments.`,
    action: 'Wait for the next delivery, or write a message to the studio.',
  });
}

/** The comment of a job, or 404. */
export async function findComment(db: Db | Trx, job: JobKey, id: string): Promise<CommentRow> {
  const [comment] = await readComments(db, job, { id: readId('cmt', id) });
  if (!comment) throw new Refusal('comment_not_found');
  return comment;
}

export function refuseSent({ sent_at }: CommentRow): void {
  if (sent_at === null) return;
  throw new Refusal('invalid_transition', {
    message: 'The comment was sent to the studio and stays as it is.',
    action: 'Write a message to the studio, or comment on the next delivery.',
  });
}

export function refuseOther(comment: CommentRow, member: Commenter): void {
  if (isAuthor(comment, member)) return;
  throw new Refusal('invalid_transition', {
    message: 'Only the author of a comment may change it.',
    action: 'Add a comment of your own.',
  });
}
