import type { rejectJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { applyMove } from '../../jobs/move.ts';
import { lockDeskJob, moveOnce, refuseUnlessMovable } from './desk-move.ts';
import type { Db } from '../../db/pool.ts';

/** The customer reads the reason. Quota is returned unless something was ever released to them. */
export async function rejectJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { params, body, cause } = request;
  return moveOnce(context, request, async (trx) => {
    const job = await lockDeskJob(trx, params.id);
    refuseUnlessMovable(job, 'reject');
    const reason = { reason_code: body.code, reason_message: body.message };
    await applyMove(trx, job, 'reject', cause, reason);
    return job;
  });
}
