import type { acceptJob as endpoint } from '../../contract/desk.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Request } from '../http/request.ts';
import { heldBy } from '../jobs/hold.ts';
import { applyMove } from '../jobs/move.ts';
import { answerMoved, lockDeskJob, refuseRemovedOperator, refuseUnlessMovable } from './desk-move.ts';
import type { Db } from '../db/pool.ts';

export async function acceptJob(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const job = await lockDeskJob(trx, params.id);
    refuseUnlessMovable(job, 'accept');
    await applyMove(trx, job, 'accept', cause, heldBy(caller.userId));
    return answerMoved(trx, params.id, caller, graceHours);
  });
}
