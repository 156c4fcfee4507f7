import { sql } from 'kysely';
import type { deleteWebhookEndpoint as endpoint } from '../../contract/developer/webhooks.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedEndpoint, showEndpoint } from './webhook-endpoint.ts';

export async function deleteWebhookEndpoint(
  { db }: { db: Db },
  { caller: { accountId }, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const row = await ownedEndpoint(trx, accountId, params.id);
    await sql`delete from webhook_endpoints where account_id = ${accountId} and id = ${row.id}`.execute(trx);
    await appendAudit(trx, cause, { action: 'webhook_endpoint.deleted', subject: params.id, accountId });
    return { status: 200, body: { webhook_endpoint: showEndpoint(row) } };
  });
}
