import type { releaseJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { applyMove } from '../../jobs/move.ts';
import { moveOnce, refuseUnlessMovable } from './desk-move.ts';
import { lockForHolder } from './lease.ts';
import type { Db } from '../../db/pool.ts';

export async function releaseJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return moveOnce(context, request, async (trx) => {
    const job = await lockForHolder(trx, caller, params.id, body.lease_token, 'release');
    refuseUnlessMovable(job, 'release');
    await applyMove(trx, job, 'release', cause, { operator_id: null });
    return job;
  });
}
