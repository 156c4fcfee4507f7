import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import type { CallerOf, Operator } from '../http/caller.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import type { JobRow } from '../jobs/job.ts';
import { lockDeskJob, refuseRemovedOperator } from './desk-move.ts';

/**
 * The job, locked, for a move of whoever holds it. A token always means that lease, which must be live; an operator may
 * move a job that no other operator holds without one.
 */
export async function lockForHolder(
  trx: Trx,
  caller: CallerOf<'desk'>,
  id: string,
  token: string | undefined,
): Promise<JobRow> {
  if (caller.method === 'session') await refuseRemovedOperator(trx, caller);
  const job = await lockForDesk(trx, caller, id, token);
  if (caller.method === 'session' && token === undefined) refuseOtherOperator(caller, job);
  return job;
}

/** The job, locked, for operators, and for the worker that holds it: a lease token, once sent, must be of a live lease. */
export async function lockForDesk(
  trx: Trx,
  caller: CallerOf<'desk'>,
  id: string,
  token: string | undefined,
): Promise<JobRow> {
  if (caller.method === 'worker_key' && token === undefined)
    throw badBody([{ location: '/lease_token', message: 'is required of a worker' }]);
  const job = await lockDeskJob(trx, id);
  if (token !== undefined) await refuseUnlessLive(trx, caller, job, token);
  return job;
}

/** Whether the token is of the last lease on the job, and that lease was the caller's. */
export const isLastLease = (caller: CallerOf<'desk'>, job: JobRow, token: string): boolean =>
  job.lease_token === token &&
  (caller.method === 'session' ? job.operator_id === caller.userId : job.worker_key_id === caller.keyId);

/**
 * The fence: of all who ever held the job, only the one whose lease is live now gets through. Asked of the clock in a
 * statement of its own, because the lock on the job may have been waited for since the transaction began.
 */
export async function refuseUnlessLive(trx: Trx, caller: CallerOf<'desk'>, job: JobRow, token: string): Promise<void> {
  if (job.lease_expires_at === null || !isLastLease(caller, job, token)) throw new Refusal('lease_lost');
  const { rows } = await sql`select where ${job.lease_expires_at}::timestamptz > clock_timestamp()`.execute(trx);
  if (rows.length === 0) throw new Refusal('lease_lost');
}

/** A job that nobody holds is taken by making the move, and so is a worker's; one that another operator holds is not. */
function refuseOtherOperator(operator: Operator, job: JobRow): void {
  if (job.held_since !== null && job.operator_id !== null && job.operator_id !== operator.userId)
    throw new Refusal('invalid_transition', {
      message: `The job is ${job.status} and held by another operator.`,
      action: 'Ask the holder to release it, or choose another job.',
    });
}
