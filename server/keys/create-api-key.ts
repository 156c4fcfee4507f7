import { type createApiKey as endpoint, scopes as allScopes } from '../../contract/developer/keys.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { appendEvents } from '../events/append-events.ts';
import { keysOf, showKey } from './api-key.ts';
import { lockManager } from './lock-caller.ts';
import { insertKey, readExpiry, refuseBeyondLimit, rotateIfLost, storeNow } from './new-key.ts';

export async function createApiKey(
  { db, config }: { db: Db; config: { apiKeyLead: string } },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { name, scopes = allScopes, expires_at = null } = body;
  return withIdempotencyKey(db, request, async (trx) => {
    const expires = await readExpiry(trx, expires_at);
    await lockManager(trx, caller);
    await refuseBeyondLimit(trx, caller.accountId);
    const { accountId: account_id, userId: created_by } = caller;
    const { id, plaintext } = await insertKey(trx, config.apiKeyLead, {
      account_id,
      created_by,
      name,
      scopes: [...scopes],
      expires_at: expires,
    });
    const row = await keysOf(trx, account_id).where('key.id', '=', id).executeTakeFirstOrThrow();
    const api_key = showKey(row);
    await appendEvents(trx, account_id, cause, [{ type: 'api_key.created', data: { api_key_id: api_key.id } }]);
    return {
      status: 201,
      body: { api_key, plaintext_key: plaintext, next_action: storeNow },
      repeat: { plaintext_key: null, next_action: rotateIfLost(api_key.id) },
    };
  });
}
