import { sql } from 'kysely';
import { canMove, type MoveName } from '../../contract/moves.ts';
import type { Trx } from '../db/pool.ts';
import type { CallerOf, Operator } from '../http/caller.ts';
import { Refusal } from '../http/refusal.ts';
import { type JobRow, jobUuid } from '../jobs/job.ts';
import { findDeskRow, showDeskJob } from './desk-job.ts';

/**
 * Waits for a concurrent removal of the operator and returns whether they still are one. Must run before a
 * job is locked, because a removal locks the operator first: a removed operator cannot end up holding a job.
 */
export async function lockOperator(trx: Trx, userId: string): Promise<boolean> {
  const { rows } = await sql`select from auth.user where id = ${userId} and operator for share`.execute(trx);
  return rows.length > 0;
}

/** Refuses requests that were authenticated before the operator was removed. */
export async function refuseRemovedOperator(trx: Trx, { userId }: Operator): Promise<void> {
  if (!(await lockOperator(trx, userId))) throw new Refusal('unauthenticated');
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
