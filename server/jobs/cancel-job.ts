import type { cancelJob as endpoint } from '../../contract/jobs/job-moves.ts';
import { canMove } from '../../contract/moves.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockJob, showJob } from './job.ts';
import { wholeJob } from './whole-job.ts';
import { applyMove, givesBack } from './move.ts';
import type { Db } from '../db/pool.ts';

/** Returns quota only if no work was submitted yet. */
export async function cancelJob(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, caller.accountId, params.id);
    if (!canMove('cancel', job.status))
      throw new Refusal('job_not_cancelable', { message: `A ${job.status} job cannot be canceled.` });
    await applyMove(trx, job, 'cancel', cause);
    const unit = givesBack('cancel', job) ? 'is back in your quota' : 'stays used, because work had begun';
    const next_action = `The job is canceled, and its unit ${unit}. Create a new one if you still need the work.`;
    return { status: 200, body: { job: showJob(await wholeJob(trx, job, graceHours)), next_action } };
  });
}
