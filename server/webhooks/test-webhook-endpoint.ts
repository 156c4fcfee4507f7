import { sql } from 'kysely';
import type { testWebhookEndpoint as endpoint } from '../../contract/developer/webhook-deliveries.ts';
import type { Trx, Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { appendEvents } from '../events/append-events.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { deliverOnce, showDelivery } from './webhook-delivery.ts';
import { ownedEndpoint } from './webhook-endpoint.ts';

/** Appends an event for this endpoint only, even while it is disabled, for finding faults. */
export async function testWebhookEndpoint(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { params, cause } = request;
  const { accountId } = request.caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const row = await ownedEndpoint(trx, accountId, params.id);
    const data = { webhook_endpoint_id: params.id };
    const seq = await appendEvents(trx, accountId, cause, [{ type: 'webhook_endpoint.test', data }]);
    const event_id = await eventId(trx, accountId, seq);
    const about = { seq: String(seq), event_id, event_type: 'webhook_endpoint.test' as const, job_id: null };
    return { status: 200, body: { webhook_delivery: showDelivery(await deliverOnce(trx, row, about)) } };
  });
}

async function eventId(trx: Trx, accountId: string, seq: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from events where account_id = ${accountId} and seq = ${seq}`.execute(trx);
  if (!rows[0]) throw new Error('An event was not appended.');
  return rows[0].id;
}
