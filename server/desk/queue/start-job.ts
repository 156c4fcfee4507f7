import type { startJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { heldBy, sameLease } from '../../jobs/hold.ts';
import type { JobRow } from '../../jobs/job.ts';
import { applyMove } from '../../jobs/move.ts';
import { moveOnce, refuseUnlessMovable } from './desk-move.ts';
import { lockForHolder } from './lease.ts';
import type { Db } from '../../db/pool.ts';

/** Also takes an accepted job that nobody or a worker holds, such as a revision. */
export async function startJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return moveOnce(context, request, async (trx) => {
    const job = await lockForHolder(trx, caller, params.id, body.lease_token, 'start');
    refuseUnlessMovable(job, 'start');
    const byLease = caller.method === 'worker_key' || body.lease_token !== undefined;
    const hold = byLease ? sameLease(job) : { ...heldBy(caller.userId), ...sinceIfHeldBy(caller.userId, job) };
    await applyMove(trx, job, 'start', cause, hold);
    return job;
  });
}

/** Somebody who already holds the job keeps their time. */
const sinceIfHeldBy = (userId: string, { operator_id, held_since }: JobRow) =>
  operator_id === userId && held_since ? { held_since } : {};
