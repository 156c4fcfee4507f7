import { holdRefusal } from '../../../contract/moves.ts';
import { holdersOf, may } from '../../../contract/desk/operator-roles.ts';
import type { Trx } from '../../db/pool.ts';
import type { CallerOf, Operator } from '../../http/request.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import { readClock } from '../../jobs/clock.ts';
import type { JobRow } from '../../jobs/job.ts';
import { lockDeskJob } from './desk-move.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

/** A lease token must be live. Without one, an operator needs a job that they may take from its holder. */
export async function lockForHolder(
  trx: Trx,
  caller: CallerOf<'desk'>,
  id: string,
  token: string | undefined,
  move: 'start' | 'submit' | 'release',
): Promise<JobRow> {
  if (caller.method === 'session') await refuseRemovedOperator(trx, caller);
  const job = await lockForDesk(trx, caller, id, token);
  if (caller.method === 'session' && token === undefined) refuseOtherHolder(caller, job, move);
  return job;
}

/** Any operator, or the worker that holds the job. A lease token must be live. */
export async function lockForDesk(
  trx: Trx,
  caller: CallerOf<'desk'>,
  id: string,
  token: string | undefined,
): Promise<JobRow> {
  if (caller.method === 'worker_key' && token === undefined)
    throw badBody([{ location: '/lease_token', message: 'is required for workers' }]);
  const job = await lockDeskJob(trx, id);
  if (token !== undefined) await refuseUnlessLive(trx, caller, job, token);
  return job;
}

export const isLastLease = (caller: CallerOf<'desk'>, job: JobRow, token: string): boolean =>
  job.lease_token === token &&
  (caller.method === 'session' ? job.operator_id === caller.userId : job.worker_key_id === caller.keyId);

/** Returns the time, read after the lock: the transaction's clock stopped while it waited. */
export async function refuseUnlessLive(trx: Trx, caller: CallerOf<'desk'>, job: JobRow, token: string): Promise<Date> {
  if (job.lease_expires_at === null || !isLastLease(caller, job, token)) throw new Refusal('lease_lost');
  const at = await readClock(trx);
  if (job.lease_expires_at <= at) throw new Refusal('lease_lost');
  return at;
}

/** By the table that the desk offers moves by. Leads and owners may take a job from its holder. */
export function refuseOtherHolder(
  { userId, operatorRole }: Operator,
  job: JobRow,
  move: 'start' | 'submit' | 'release' | 'hold',
): void {
  const holder = job.held_since && { operator_id: job.operator_id };
  const refused = holdRefusal(move, holder, userId, (right) => may(operatorRole, right));
  if (refused === 'role')
    throw new Refusal('role_required', {
      message: `Somebody else holds the job. To ${move} it needs ${holdersOf('direct')} of the studio.`,
    });
  if (refused === 'held_by_other')
    throw new Refusal('invalid_transition', {
      message: `The job is ${job.status} and held by another operator.`,
      action: 'Ask that operator to release it, or choose another job.',
    });
}
