import type { returnJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { applyMove } from '../../jobs/move.ts';
import { insertNote } from './add-note.ts';
import { lockDeskJob, moveOnce, refuseUnlessMovable } from './desk-move.ts';
import type { Db } from '../../db/pool.ts';

/** Returns work to its operator before the customer sees it. The note is internal. */
export async function returnJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return moveOnce(context, request, async (trx) => {
    const job = await lockDeskJob(trx, params.id);
    refuseUnlessMovable(job, 'return');
    await insertNote(trx, job, caller, body.note);
    await applyMove(trx, job, 'return', cause);
    return job;
  });
}
