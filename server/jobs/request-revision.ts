import type { AnswerOf } from '../../contract/endpoint.ts';
import type { requestRevision as endpoint } from '../../contract/jobs.ts';
import { canMove } from '../../contract/moves.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Trx, Db } from '../db/pool.ts';
import { hasUsablePlan, planRequired } from '../entitlements/entitlement.ts';
import { Refusal } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { unsafe } from '../safety/policy.ts';
import { type JobRow, lockJob, showJob, wholeJob } from './job.ts';
import { applyMove } from './move.ts';
import { waitForReview } from './next-action.ts';

/** Needs an active plan and a remaining round; costs no quota. */
export async function requestRevision(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { customer_instructions } = body;
  return withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, caller.accountId, params.id);
    refuseUnlessEligible(job);
    const danger = unsafe([['/customer_instructions', customer_instructions]]);
    if (danger) throw danger;
    if (!(await hasUsablePlan(trx, job.account_id, graceHours)))
      throw await planRequired(trx, job.account_id, graceHours, null);
    const round = job.revisions_used + 1;
    await insertRevision(trx, job, round, customer_instructions);
    const seq = await applyMove(trx, job, 'revision', cause, { revisions_used: round });
    const next_action = waitForReview(params.id, seq);
    return { status: 200, body: { job: showJob(await wholeJob(trx, job, graceHours)), next_action } };
  });
}

function refuseUnlessEligible(job: JobRow): void {
  if (!canMove('revision', job.status))
    throw new Refusal('revision_unavailable', { message: `A ${job.status} job cannot be revised.` });
  if (job.revisions_used >= job.revisions_included)
    throw new Refusal('revision_unavailable', {
      message: `All ${job.revisions_included} revision rounds of this job are used.`,
      action: 'Approve the job, or create a new one for further changes.',
    });
}

const insertRevision = (trx: Trx, job: JobRow, round: number, customer_instructions: string) =>
  trx
    .insertInto('job_revisions')
    .values({ account_id: job.account_id, job_id: job.id, round, customer_instructions })
    .execute();
