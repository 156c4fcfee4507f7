import { canMove, type MoveName } from '../../contract/moves.ts';
import type { Trx } from '../db/pool.ts';
import type { CallerOf, Operator } from '../http/caller.ts';
import { Refusal } from '../http/refusal.ts';
import { type JobRow, jobUuid } from '../jobs/job.ts';
import { readId } from '../lib/id.ts';
import { findDeskRow, showDeskJob } from './desk-job.ts';
import { type LockedOperator, lockOperators, type OperatorLock } from './operator.ts';

/** Refuses requests that were authenticated before the operator was removed or got another role. */
export async function refuseRemovedOperator(trx: Trx, caller: Operator): Promise<void> {
  refuseEndedRole(await lockOperators(trx, [caller.userId]), caller);
}

function refuseEndedRole(operators: readonly LockedOperator[], { userId, operatorRole }: Operator): void {
  const now = operators.find(({ id }) => id === userId);
  if (!now) throw new Refusal('unauthenticated');
  if (now.role !== operatorRole) throw new Refusal('role_required', { message: 'Your role has just been changed.' });
}

/** Locks the caller and the operator that their request names, and returns whom it names. */
export async function lockNamedOperator(
  trx: Trx,
  caller: Operator,
  id: string,
  strength?: OperatorLock,
): Promise<string> {
  return namedOperator(await lockOperators(trx, [caller.userId, readId('user', id)], strength), caller, id);
}

/** Of locked operators, the one whom a request of the caller names. */
export function namedOperator(operators: readonly LockedOperator[], caller: Operator, id: string): string {
  refuseEndedRole(operators, caller);
  const named = readId('user', id);
  if (!operators.some((operator) => operator.id === named)) throw new Refusal('operator_not_found');
  return named ?? '';
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
