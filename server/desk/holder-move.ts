import { sql } from 'kysely';
import type { MoveName } from '../../contract/moves.ts';
import type { CallerOf, Operator } from '../http/caller.ts';
import type { JobRow } from '../jobs/job.ts';
import type { JobChanges } from '../jobs/move.ts';
import type { Db, Trx } from '../db/pool.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import { deskMove, type HolderRequest } from './desk-move.ts';

/** What a holder's move changes: under the lease, or by an operator's own authority, which needs none. */
type Changes = {
  byLease(job: JobRow): JobChanges;
  byOperator(job: JobRow, operator: Operator): JobChanges;
};

/** A move of whoever holds the job. A token always means that lease, which must be live; a worker has nothing else. */
export async function holderMove(
  db: Db,
  request: HolderRequest,
  move: MoveName,
  changes: Changes,
  write: (trx: Trx, job: JobRow) => Promise<unknown> = async () => {},
) {
  const { caller } = request;
  const token = request.body.lease_token;
  refuseWorkerWithout(caller, token);
  return deskMove(
    db,
    request,
    move,
    async (trx, job) => {
      await write(trx, job);
      return token === undefined && caller.method === 'session'
        ? changes.byOperator(job, caller)
        : changes.byLease(job);
    },
    async (trx, job) => {
      if (token !== undefined) await refuseUnlessLive(trx, caller, job, token);
      else if (caller.method === 'session') refuseOtherOperator(caller, job);
    },
  );
}

/** A worker has no authority but its lease. */
export function refuseWorkerWithout({ method }: CallerOf<'desk'>, token: string | undefined): void {
  if (method === 'worker_key' && token === undefined)
    throw badBody([{ location: '/lease_token', message: 'is required of a worker' }]);
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
      action: 'Request the holder to release it, or choose another job.',
    });
}
