import type { AnswerOf } from '../../contract/endpoint.ts';
import type { approveJob as endpoint } from '../../contract/jobs.ts';
import { canMove, isEnded } from '../../contract/moves.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { customerMove } from './customer-move.ts';

/** The customer takes the work; the job is completed. In any other status than ready for review: 400. */
export async function approveJob(db: Db, request: Request<typeof endpoint>): Promise<AnswerOf<typeof endpoint>> {
  return customerMove(db, request, 'approve', async (_trx, job) => {
    if (!canMove('approve', job.status))
      throw new Refusal('invalid_request', {
        status: 400,
        message: `A job that is ${job.status} cannot be approved.`,
        action: isEnded(job.status)
          ? 'The job has ended: nothing will change it any more. Read it to see how it ended.'
          : 'Wait until the job is ready_for_customer_review; read it to see its status.',
      });
    return { next_action: 'The job is completed; nothing more to do.' };
  });
}
