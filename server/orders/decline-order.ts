import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { declineOrder as endpoint } from '../../contract/ordering/orders.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import { appendEvents } from '../events/append-events.ts';
import type { Request } from '../http/request.ts';
import { unsafe } from '../safety/policy.ts';
import { lockWaitingOrder } from './lock-order.ts';
import { ownedOrder, showOrder } from './order.ts';
import { tellOfDecision } from './tell-of-orders.ts';

/** The draft stays its maker's. */
export async function declineOrder(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause, body } = request;
  const { accountId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const refusal = unsafe([['/words', body.words]]);
    if (refusal) throw refusal;
    const { id, draft } = await lockWaitingOrder(trx, caller, params.id);
    await sql`
      update orders set status = 'declined', decided_by = ${caller.userId}, decided_at = now(),
        version = ${draft.version}, words = ${body.words}
      where account_id = ${accountId} and id = ${id}`.execute(trx);
    const declined = await ownedOrder(trx, accountId, params.id);
    await tellOfDecision(trx, declined);
    const data = { order_id: params.id, words: body.words };
    await appendEvents(trx, accountId, cause, [{ type: 'order.declined', data }]);
    return { status: 200, body: { order: await showOrder(trx, declined) } };
  });
}
