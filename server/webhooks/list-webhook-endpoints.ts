import { sql } from 'kysely';
import type { listWebhookEndpoints as endpoint } from '../../contract/developer/webhooks.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { endpointColumns, type EndpointRow, showEndpoint } from './webhook-endpoint.ts';
import type { Db } from '../db/pool.ts';

export async function listWebhookEndpoints(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { accountId }, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listWebhookEndpoints', accountId];
  const from = readCursor(signer, scope, cursor);
  const { rows } = await sql<EndpointRow>`
    select ${endpointColumns} from webhook_endpoints e
    where e.account_id = ${accountId} ${from === null ? sql`` : sql`and (e.created_at, e.id) < (${from.at}, ${from.id})`}
    order by e.created_at desc, e.id desc limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { webhook_endpoints: page.map(showEndpoint), next_cursor } };
}
