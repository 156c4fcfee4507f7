import type { approveJob as endpoint } from '../../contract/jobs/job-moves.ts';
import { canMove, isEnded } from '../../contract/moves.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type JobRow, lockJob, showJob } from './job.ts';
import { wholeJob } from './whole-job.ts';
import { refuseOtherDelivery } from './last-delivery.ts';
import { applyMove } from './move.ts';
import type { Db } from '../db/pool.ts';

export async function approveJob(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, query, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, caller.accountId, params.id);
    refuseOtherDelivery(job, query.round);
    refuseUnlessReviewable(job);
    await applyMove(trx, job, 'approve', cause);
    const next_action = 'The job is completed; there is nothing left to do.';
    return { status: 200, body: { job: showJob(await wholeJob(trx, job, graceHours)), next_action } };
  });
}

function refuseUnlessReviewable({ status }: JobRow): void {
  if (!canMove('approve', status))
    throw new Refusal('invalid_request', {
      status: 400,
      message: `A ${status} job cannot be approved.`,
      action: isEnded(status)
        ? 'The job has ended and will not change. Read it to see how it ended.'
        : 'Wait until the job is ready_for_customer_review; read it to see its status.',
    });
}
