import { sql } from 'kysely';
import type { createWebhookEndpoint as endpoint } from '../../contract/developer/webhooks.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, lockAccount, type Trx } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { logBounds } from '../events/event.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockManager } from '../keys/lock-caller.ts';
import { newId } from '../lib/id.ts';
import { acceptUrl, endpointColumns, type EndpointRow, showEndpoint } from './webhook-endpoint.ts';
import { addSecret, rotateIfLost, storeNow } from './webhook-secret.ts';
import type { Encryption } from '../lib/encryption.ts';
import type { ReceiverRules } from './receiver-address.ts';

const maxEndpoints = 10;

/** A new endpoint gets only future events: its cursor starts at the end of the log. */
export async function createWebhookEndpoint(
  { db, encryption, receivers }: { db: Db; encryption: Encryption; receivers: ReceiverRules },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { accountId, userId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const url = acceptUrl(receivers, body.url);
    await lockManager(trx, caller);
    await lockAccount(trx, accountId);
    await refuseBeyondLimit(trx, accountId);
    const { latest } = await logBounds(trx, accountId);
    const { rows } = await sql<EndpointRow>`
      insert into webhook_endpoints as e (account_id, id, url, description, types, cursor, created_by)
      values (${accountId}, ${newId()}, ${url}, ${body.description || null}, ${body.types ?? null}, ${latest},
        ${userId})
      returning ${endpointColumns}`.execute(trx);
    if (!rows[0]) throw new Error('An endpoint was not inserted.');
    const { secret } = await addSecret(trx, encryption, rows[0]);
    const webhook_endpoint = showEndpoint(rows[0]);
    await appendAudit(trx, cause, { action: 'webhook_endpoint.created', subject: webhook_endpoint.id, accountId });
    return {
      status: 201,
      body: { webhook_endpoint, secret, next_action: storeNow },
      repeat: { secret: null, next_action: rotateIfLost(webhook_endpoint.id) },
    };
  });
}

/** Locks the account's counters, so that concurrent creates are counted. */
async function refuseBeyondLimit(trx: Trx, accountId: string): Promise<void> {
  const { rows } = await sql`select from webhook_endpoints where account_id = ${accountId}`.execute(trx);
  if (rows.length < maxEndpoints) return;
  throw new Refusal('limit_reached', {
    message: `The account has ${rows.length} webhook endpoints; it may have ${maxEndpoints}.`,
    action: 'Delete one that is no longer used; GET /api/v1/webhook-endpoints lists them.',
  });
}
