import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { sendDeskMessage as endpoint } from '../../../contract/desk/talk.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import type { Db, Trx } from '../../db/pool.ts';
import type { Cause, Request } from '../../http/request.ts';
import { applyMove } from '../../jobs/move.ts';
import { deskParty, findMessage, showMessage } from '../../talk/message.ts';
import { writeMessage } from '../../talk/write-message.ts';
import { jobKeyOf } from './desk-job.ts';
import { lockDeskJob } from './desk-move.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';
import { lockForDesk } from './lease.ts';

/**
 * Writes to the customer. A worker that asks gives the job back: after the answer it is claimed first. An
 * Idempotency-Key remembers only the id, so that no copy of the text outlives a withdrawal.
 */
export async function sendDeskMessage(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const party = deskParty(caller);
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    if (caller.method === 'session') await refuseRemovedOperator(trx, caller);
    const job = await lockForDesk(trx, caller, params.id, body.lease_token);
    const { message_id } = await writeMessage(trx, job, party, body, cause);
    if (body.question && caller.method === 'worker_key') await release(trx, params.id, cause);
    return { status: 201 as const, body: { message_id }, accountId: job.account_id };
  });
  const message = await findMessage(db, await jobKeyOf(db, params.id), answer.body.message_id);
  return { ...answer, body: { message: showMessage(message, party) } };
}

/** Reads the job again: the question has changed its clock and its events. Does not count towards parking. */
async function release(trx: Trx, id: string, cause: Cause): Promise<void> {
  const job = await lockDeskJob(trx, id);
  await applyMove(trx, job, 'release', cause, { lease_expiries: job.lease_expiries });
}
