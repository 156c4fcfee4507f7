import { sql } from 'kysely';
import type { releaseJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { applyMove } from '../../jobs/move.ts';
import { insertNote } from './add-note.ts';
import { moveOnce, refuseUnlessMovable } from './desk-move.ts';
import { lockForHolder } from './lease.ts';
import type { Db } from '../../db/pool.ts';

/** A worker that gives a job back does not get it again at once. Why it did is a note for colleagues. */
export async function releaseJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return moveOnce(context, request, async (trx) => {
    const job = await lockForHolder(trx, caller, params.id, body.lease_token, 'release');
    refuseUnlessMovable(job, 'release');
    if (body.reason !== undefined) await insertNote(trx, job, caller, body.reason);
    const byWorker = caller.method === 'worker_key' ? { worker_released_at: sql<Date>`now()` } : {};
    await applyMove(trx, job, 'release', cause, { operator_id: null, ...byWorker });
    return job;
  });
}
