import type { AnswerOf } from '../../contract/endpoint.ts';
import type { requestRevision as endpoint } from '../../contract/jobs.ts';
import { canMove } from '../../contract/moves.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { unsafe } from '../safety/policy.ts';
import { hasUsablePlan } from '../entitlements/entitlement.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { customerMove } from './customer-move.ts';
import type { JobRow } from './job.ts';

/** Sends delivered work back with what is to change. Needs an active plan and a round left; costs no quota. */
export async function requestRevision(
  db: Db,
  catalog: Catalog,
  graceHours: number,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { customer_instructions } = request.body;
  return customerMove(db, request, 'revision', async (trx, job) => {
    refuseUnlessEligible(job);
    const danger = unsafe(catalog, [['/customer_instructions', customer_instructions]]);
    if (danger) throw danger;
    if (!(await hasUsablePlan(trx, job.account_id, graceHours))) throw new Refusal('entitlement_required');
    const round = job.revisions_used + 1;
    await trx
      .insertInto('job_revisions')
      .values({ account_id: job.account_id, job_id: job.id, round, customer_instructions })
      .execute();
    return {
      changes: { revisions_used: round },
      next_action: 'The studio works on the revision; follow the job at links.events.',
    };
  });
}

function refuseUnlessEligible(job: JobRow): void {
  if (!canMove('revision', job.status))
    throw new Refusal('revision_unavailable', { message: `A job that is ${job.status} cannot be revised.` });
  if (job.revisions_used >= job.revisions_included)
    throw new Refusal('revision_unavailable', {
      message: `All ${job.revisions_included} revision rounds of this job are used.`,
      action: 'Approve the job, or create a new one for further changes.',
    });
}
