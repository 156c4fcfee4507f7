import { sql } from 'kysely';
import type { listWebhookDeliveries as endpoint } from '../../contract/developer/webhook-deliveries.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type DeliveryRow, deliveryStatus, showDelivery } from './webhook-delivery.ts';
import { ownedEndpoint } from './webhook-endpoint.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

export async function listWebhookDeliveries(
  { db, signer }: { db: Db; signer: Signer },
  { caller, params, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { status = null, limit = 25 } = query;
  const row = await ownedEndpoint(db, caller.accountId, params.id);
  const scope = ['listWebhookDeliveries', caller.accountId, params.id, status?.toSorted()];
  const from = readCursor(signer, scope, query.cursor);
  const { rows } = await sql<DeliveryRow>`
    select d.* from webhook_deliveries d
    where d.account_id = ${row.account_id} and d.endpoint_id = ${row.id}
      and (${from?.id ?? null}::uuid is null or d.id < ${from?.id ?? null}::uuid)
      and (${status}::text[] is null or ${deliveryStatus} = any(${status}::text[]))
    order by d.id desc limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { webhook_deliveries: page.map(showDelivery), next_cursor } };
}
