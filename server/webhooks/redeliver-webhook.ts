import type { redeliverWebhook as endpoint } from '../../contract/developer/webhook-deliveries.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { announce, type Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { deliverOnce, ownedDelivery, showDelivery } from './webhook-delivery.ts';

/** Sends the same event again in a delivery of its own, so that earlier attempts remain readable. */
export async function redeliverWebhook(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { params, cause } = request;
  const { accountId } = request.caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const before = await ownedDelivery(trx, accountId, params.id);
    const again = await deliverOnce(trx, { account_id: accountId, id: before.endpoint_id }, before);
    announce(trx, accountId);
    await appendAudit(trx, cause, { action: 'webhook_delivery.redelivered', subject: params.id, accountId });
    return { status: 200, body: { webhook_delivery: showDelivery(again) } };
  });
}
