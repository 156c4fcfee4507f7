import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listWebhookEndpoints as endpoint } from '../../contract/webhooks.ts';
import type { Request } from '../http/request.ts';
import { type EndpointRow, showEndpoint } from './webhook-endpoint.ts';
import type { Db } from '../db/pool.ts';

/** The endpoints of the account, newest first, without secrets. */
export async function listWebhookEndpoints(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { rows } = await sql<EndpointRow>`
    select * from webhook_endpoints where account_id = ${caller.accountId} order by created_at desc, id desc`.execute(
    db,
  );
  return { status: 200, body: { webhook_endpoints: rows.map(showEndpoint) } };
}
