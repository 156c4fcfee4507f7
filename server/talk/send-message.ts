import type { AnswerOf } from '../../contract/endpoint.ts';
import type { sendMessage as endpoint } from '../../contract/talk.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { jobUuid, lockJob } from '../jobs/job.ts';
import { customerParty, findMessage, showMessage } from './message.ts';
import { writeMessage } from './write-message.ts';

/** An Idempotency-Key remembers only the id, so that no copy of the text outlives a withdrawal. */
export async function sendMessage(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  const party = customerParty(caller);
  const answer = await withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, accountId, params.id);
    return { status: 201 as const, body: { message_id: await writeMessage(trx, job, party, body, cause) } };
  });
  const job = { account_id: accountId, id: jobUuid(params.id) };
  const message = await findMessage(db, job, answer.body.message_id);
  return { ...answer, body: { message: showMessage(message, party) } };
}
