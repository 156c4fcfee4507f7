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

/** Comments of the delivery under review take replies and can be settled. */
export function refuseUnlessOpen(job: JobRow, comment: CommentRow): void {
  refuseSent(comment);
  refuseUnlessInReview(job);
  if (comment.round === job.revisions_used) return;
  throw new Refusal('invalid_transition', {
    message: `The comment is about delivery ${comment.round + 1}, whose review has ended.`,
    action: 'Comment on the current delivery.',
  });
}

export function refuseOther(written: Parameters<typeof isAuthor>[0], member: Commenter): void {
  if (isAuthor(written, member)) return;
  throw new Refusal('invalid_transition', {
    message: 'Only its author may change what was written.',
    action: 'Add a comment or a reply of your own.',
  });
}
