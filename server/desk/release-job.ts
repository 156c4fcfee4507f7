import type { releaseJob as endpoint } from '../../contract/desk.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Request } from '../http/request.ts';
import { applyMove } from '../jobs/move.ts';
import { answerMoved, refuseUnlessMovable } from './desk-move.ts';
import { lockForHolder } from './lease.ts';
import type { Db } from '../db/pool.ts';

export async function releaseJob(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    const job = await lockForHolder(trx, caller, params.id, body.lease_token, 'release');
    refuseUnlessMovable(job, 'release');
    await applyMove(trx, job, 'release', cause, { operator_id: null });
    return answerMoved(trx, params.id, caller, graceHours);
  });
}
