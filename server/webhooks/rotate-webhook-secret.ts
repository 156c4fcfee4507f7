import { sql } from 'kysely';
import type { rotateWebhookSecret as endpoint } from '../../contract/developer/webhooks.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedEndpoint, showEndpoint } from './webhook-endpoint.ts';
import { addSecret, rotateIfLost, storeNow } from './webhook-secret.ts';
import type { Db } from '../db/pool.ts';
import type { Encryption } from '../lib/encryption.ts';

/** Every live secret signs each delivery, in one header. */
const maxLiveSecrets = 3;

/** Older secrets sign along with the new one until the overlap has passed. An earlier end stays. */
export async function rotateWebhookSecret(
  { db, encryption }: { db: Db; encryption: Encryption },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { params, cause } = request;
  const { accountId } = request.caller;
  const { overlap_hours = 24 } = request.body;
  return withIdempotencyKey(db, request, async (trx) => {
    const row = await ownedEndpoint(trx, accountId, params.id);
    await sql`
      delete from webhook_secrets where account_id = ${row.account_id} and endpoint_id = ${row.id}
        and (expires_at <= now() or ${overlap_hours} = 0)`.execute(trx);
    await sql`
      update webhook_secrets
      set expires_at = least(expires_at, now() + make_interval(hours => ${overlap_hours}))
      where account_id = ${row.account_id} and endpoint_id = ${row.id}`.execute(trx);
    await sql`
      delete from webhook_secrets where account_id = ${row.account_id} and endpoint_id = ${row.id} and id not in (
        select id from webhook_secrets where account_id = ${row.account_id} and endpoint_id = ${row.id}
        order by id desc limit ${maxLiveSecrets - 1})`.execute(trx);
    await appendAudit(trx, cause, { action: 'webhook_endpoint.secret_rotated', subject: params.id, accountId });
    const { secret, created_at } = await addSecret(trx, encryption, row);
    const made = { webhook_endpoint: showEndpoint(row), secret_created_at: created_at.toISOString() };
    return {
      status: 200,
      body: { ...made, secret, next_action: storeNow },
      repeat: { secret: null, next_action: rotateIfLost(params.id) },
    };
  });
}
