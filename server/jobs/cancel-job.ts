import type { AnswerOf } from '../../contract/endpoint.ts';
import type { cancelJob as endpoint } from '../../contract/jobs.ts';
import { canMove } from '../../contract/moves.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { customerMove } from './customer-move.ts';

/** The customer gives the job up. Quota goes back only before any work was submitted. */
export async function cancelJob(db: Db, request: Request<typeof endpoint>): Promise<AnswerOf<typeof endpoint>> {
  return customerMove(db, request, 'cancel', async (_trx, job) => {
    if (!canMove('cancel', job.status))
      throw new Refusal('job_not_cancelable', { message: `A job that is ${job.status} cannot be canceled.` });
    return { next_action: 'The job is canceled; create a new one if you still need the work.' };
  });
}
