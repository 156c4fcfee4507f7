import { sql } from 'kysely';
import type { completeComment, reopenComment } from '../../../contract/desk/comments.ts';
import { canMove } from '../../../contract/moves.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import { announce, type Db, type Trx } from '../../db/pool.ts';
import { Refusal } from '../../http/refusal.ts';
import type { Request } from '../../http/request.ts';
import { type CommentRow, readComments, showComment, studioOf } from '../../jobs/job-comment.ts';
import type { JobRow } from '../../jobs/job.ts';
import { readId } from '../../lib/id.ts';
import { lockForDesk } from './lease.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

/** A comment of the current revision of a locked job that the studio has. Others stay as they are. */
async function findOpenComment(trx: Trx, job: JobRow, id: string): Promise<CommentRow> {
  const [comment] = await readComments(trx, job, { id: readId('cmt', id), sent: true });
  if (!comment) throw new Refusal('comment_not_found');
  if (!canMove('cancel', job.status))
    throw new Refusal('invalid_transition', {
      message: `The job is ${job.status}: its comments stay as they are.`,
      action: 'Wait until the customer requests another revision.',
    });
  if (comment.round !== job.revisions_used - 1)
    throw new Refusal('invalid_transition', {
      message: 'The comment belongs to an earlier revision and stays as it is.',
      action: 'List the comments of the current revision.',
    });
  return comment;
}

type Marking = Request<typeof completeComment> | Request<typeof reopenComment>;
type Done = { note: string | null };

/** Marks a comment as done, or with null as open, and wakes the desks. */
export async function markComment(db: Db, request: Marking, done: Done | null) {
  const { caller, params, body, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    if (caller.method === 'session') await refuseRemovedOperator(trx, caller);
    const job = await lockForDesk(trx, caller, params.id, body.lease_token);
    const { id } = await findOpenComment(trx, job, params.comment_id);
    await trx
      .updateTable('job_comments')
      .where('account_id', '=', job.account_id)
      .where('job_id', '=', job.id)
      .where('id', '=', id)
      .set({
        done_at: done ? sql`now()` : null,
        done_by_user: done && caller.method === 'session' ? caller.userId : null,
        done_by_worker_key: done && caller.method === 'worker_key' ? caller.keyId : null,
        done_note: done?.note ?? null,
        checked_at: sql`now()`,
      })
      .execute();
    announce(trx, job.account_id);
    const action = done ? 'comment.completed' : 'comment.reopened';
    await appendAudit(trx, cause, { action, subject: params.comment_id, accountId: job.account_id });
    const comment = showComment(await findOpenComment(trx, job, params.comment_id), studioOf(caller));
    return { status: 200 as const, body: { comment }, accountId: job.account_id };
  });
}
