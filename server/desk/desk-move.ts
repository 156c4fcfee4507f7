import { canMove, type MoveName } from '../../contract/moves.ts';
import type { Trx } from '../db/pool.ts';
import type { CallerOf, Operator } from '../http/caller.ts';
import { Refusal } from '../http/refusal.ts';
import { type JobRow, jobUuid } from '../jobs/job.ts';
import { readId } from '../lib/id.ts';
import { findDeskRow, showDeskJob } from './desk-job.ts';
import { lockOperators, type OperatorLock } from './operator.ts';

/** Refuses requests that were authenticated before the operator was removed. */
export async function refuseRemovedOperator(trx: Trx, { userId }: Operator): Promise<void> {
  const operators = await lockOperators(trx, [userId]);
  if (operators.length === 0) throw new Refusal('unauthenticated');
}

/** Locks the caller and the operator that their request names, and returns whom it names. */
export async function lockNamedOperator(
  trx: Trx,
  { userId }: Operator,
  id: string,
  strength?: OperatorLock,
): Promise<string> {
  const named = readId('user', id);
  const operators = await lockOperators(trx, [userId, named], strength);
  if (!operators.includes(userId)) throw new Refusal('unauthenticated');
  if (named === null || !operators.includes(named)) throw new Refusal('operator_not_found');
  return named;
}

export async function lockDeskJob(trx: Trx, id: string): Promise<JobRow> {
  const job = await trx.selectFrom('jobs').selectAll().where('id', '=', jobUuid(id)).forUpdate().executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  return job;
}

export function refuseUnlessMovable(job: JobRow, move: MoveName): void {
  if (!canMove(move, job.status))
    throw new Refusal('invalid_transition', { message: `A ${job.status} job does not allow ${move}.` });
}

/** The answer of a move: the job as the transaction leaves it. */
export async function answerMoved(trx: Trx, id: string, caller: CallerOf<'desk'>, graceHours: number) {
  const job = await findDeskRow(trx, jobUuid(id), graceHours);
  return { status: 200 as const, body: { job: showDeskJob(job, caller) }, accountId: job.account_id };
}
