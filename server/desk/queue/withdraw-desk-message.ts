import type { withdrawDeskMessage as endpoint } from '../../../contract/desk/talk.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { deskParty, showMessage } from '../../talk/message.ts';
import { withdraw } from '../../talk/withdraw.ts';
import { lockForDesk } from './lease.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

export async function withdrawDeskMessage(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const party = deskParty(caller);
  return withIdempotencyKey(db, request, async (trx) => {
    if (caller.method === 'session') await refuseRemovedOperator(trx, caller);
    const job = await lockForDesk(trx, caller, params.id, body.lease_token);
    const message = await withdraw(trx, job, params.message_id, party, cause);
    return { status: 200, body: { message: showMessage(message, party) }, accountId: job.account_id };
  });
}
