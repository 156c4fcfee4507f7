import { sql } from 'kysely';
import { type BusinessHours, hoursAfter } from '../../contract/studio/business-time.ts';
import type { AnswerOf, Body } from '../../contract/endpoint.ts';
import type { requestRevision as endpoint } from '../../contract/jobs/job-moves.ts';
import { canMove } from '../../contract/moves.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Trx, Db } from '../db/pool.ts';
import { hasUsablePlan, planRequired } from '../entitlements/entitlement.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { readClock } from '../jobs/clock.ts';
import { memberOf } from '../jobs/job-comment.ts';
import { type JobChanges, type JobRow, lockJob, showJob } from '../jobs/job.ts';
import { wholeJob } from '../jobs/whole-job.ts';
import { refuseOtherDelivery } from '../jobs/last-delivery.ts';
import { applyMove } from '../jobs/move.ts';
import { waitForReview } from '../jobs/next-action.ts';
import { readId } from '../lib/id.ts';
import { unsafe } from '../safety/policy.ts';
import { writeComments } from './write-comments.ts';

/** Needs an active plan and a remaining round; costs no quota. Sends the open comments of the round. */
export async function requestRevision(
  { db, catalog, graceHours }: { db: Db; catalog: Pick<Catalog, 'businessHours'>; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { customer_instructions = '', comments = [] } = body;
  return withIdempotencyKey(db, request, async (trx) => {
    if (isEmpty(body)) await refuseWithoutComments(trx, caller.accountId, params.id);
    const job = await lockJob(trx, caller.accountId, params.id);
    refuseOtherDelivery(job, body.round);
    refuseUnlessEligible(job);
    const danger = unsafe([['/customer_instructions', customer_instructions]]);
    if (danger) throw danger;
    await writeComments(trx, job, memberOf(caller), comments, '/comments');
    if (!(await hasUsablePlan(trx, job.account_id, graceHours)))
      throw await planRequired(trx, job.account_id, graceHours, { purpose: 'revision', kind: null });
    if ((await sendComments(trx, job)) === 0 && isEmpty(body)) throw instructionsRequired();
    const round = job.revisions_used + 1;
    await insertRevision(trx, job, round, customer_instructions);
    const due = await dueDateOf(trx, job, round, catalog.businessHours);
    const seq = await applyMove(trx, job, 'revision', cause, { revisions_used: round, ...due });
    const next_action = waitForReview(params.id, seq);
    return { status: 200, body: { job: showJob(await wholeJob(trx, job, graceHours)), next_action } };
  });
}

const isEmpty = ({ customer_instructions, comments = [] }: Body<typeof endpoint>): boolean =>
  customer_instructions === undefined && comments.length === 0;

const instructionsRequired = () => badBody([{ location: '/customer_instructions', message: 'is required' }]);

/** Unless comments wait to be sent, an empty body is refused before the job is read, as any bad body is. */
async function refuseWithoutComments(trx: Trx, accountId: string, id: string): Promise<void> {
  const { rows } = await sql`
    select from job_comments
    where account_id = ${accountId} and job_id = ${readId('job', id)} and sent_at is null and settled_at is null limit 1`.execute(
    trx,
  );
  if (rows.length === 0) throw instructionsRequired();
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

/** From now on the studio reads them. */
async function sendComments(trx: Trx, job: JobRow): Promise<number> {
  const sent = await trx
    .updateTable('job_comments')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('round', '=', job.revisions_used)
    .where('settled_at', 'is', null)
    .set({ sent_at: sql`now()` })
    .returning('id')
    .execute();
  return sent.length;
}

/** The option may promise when requested changes are delivered. */
async function dueDateOf(
  trx: Trx,
  { revision_hours }: JobRow,
  due_round: number,
  hours: BusinessHours | null,
): Promise<JobChanges> {
  if (revision_hours === null) return {};
  const at = await readClock(trx);
  return { due_at: new Date(hoursAfter(hours, at.getTime(), revision_hours)), due_round };
}

const insertRevision = (trx: Trx, job: JobRow, round: number, customer_instructions: string) =>
  trx
    .insertInto('job_revisions')
    .values({ account_id: job.account_id, job_id: job.id, round, customer_instructions })
    .execute();
