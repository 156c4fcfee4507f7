import type { acceptJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { heldBy } from '../../jobs/hold.ts';
import { applyMove } from '../../jobs/move.ts';
import { lockDeskJob, moveOnce, refuseUnlessMovable } from './desk-move.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import type { Db } from '../../db/pool.ts';

export async function acceptJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  return moveOnce(context, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const job = await lockDeskJob(trx, params.id);
    refuseUnlessMovable(job, 'accept');
    await applyMove(trx, job, 'accept', cause, heldBy(caller.userId));
    return job;
  });
}
