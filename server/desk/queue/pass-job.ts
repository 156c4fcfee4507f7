import { isOwnWork } from '../../../contract/moves.ts';
import type { passJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { Operator, Request } from '../../http/request.ts';
import { applyMove } from '../../jobs/move.ts';
import { lockDeskJob, moveOnce, refuseUnlessMovable } from './desk-move.ts';
import type { Db } from '../../db/pool.ts';
import { Refusal } from '../../http/refusal.ts';
import type { JobRow } from '../../jobs/job.ts';

/** Releases reviewed work to the customer and starts their time for review. */
export async function passJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  return moveOnce(context, request, async (trx) => {
    const job = await lockDeskJob(trx, params.id);
    refuseUnlessMovable(job, 'pass');
    refuseOwnWork(caller, job);
    await applyMove(trx, job, 'pass', cause);
    return job;
  });
}

function refuseOwnWork({ userId }: Operator, job: JobRow): void {
  if (isOwnWork({ ...job, worked_by: job.operator_id }, userId)) throw new Refusal('own_work');
}
