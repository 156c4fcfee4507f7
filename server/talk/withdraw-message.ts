import type { withdrawMessage as endpoint } from '../../contract/jobs/talk.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockJob } from '../jobs/job.ts';
import { customerParty, showMessage } from './message.ts';
import { withdraw } from './withdraw.ts';

export async function withdrawMessage(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause } = request;
  const party = customerParty(caller);
  return withIdempotencyKey(db, request, async (trx) => {
    const job = await lockJob(trx, caller.accountId, params.id);
    const message = await withdraw(trx, job, params.message_id, party, cause);
    return { status: 200, body: { message: showMessage(message, party) } };
  });
}
