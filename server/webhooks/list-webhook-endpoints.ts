import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listWebhookEndpoints as endpoint } from '../../contract/webhooks.ts';
import type { Request } from '../http/request.ts';
import { endpointColumns, type EndpointRow, showEndpoint } from './webhook-endpoint.ts';
import type { Db } from '../db/pool.ts';

export async function listWebhookEndpoints(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { rows } = await sql<EndpointRow>`
    select ${endpointColumns} from webhook_endpoints e where e.account_id = ${caller.accountId}
    order by e.created_at desc, e.id desc`.execute(db);
  return { status: 200, body: { webhook_endpoints: rows.map(showEndpoint) } };
}
