import { sql } from 'kysely';
import type { rotateApiKey as endpoint } from '../../contract/developer/keys.ts';
import type { Trx, Db } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { appendEvents } from '../events/append-events.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { readId } from '../lib/id.ts';
import { keysOf, showKey } from './api-key.ts';
import { lockManager } from './lock-caller.ts';
import { insertKey, refuseBeyondLimit, rotateIfLost, storeNow } from './new-key.ts';

/** The old key ends later, but never later than before, so that its users can change over without a gap. */
export async function rotateApiKey(
  { db, config }: { db: Db; config: { apiKeyLead: string } },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, cause, body } = request;
  const { overlap_hours = 24 } = body;
  const { accountId: account_id, userId: created_by } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    await lockManager(trx, caller);
    const old = await lockActive(trx, account_id, params.id);
    await trx
      .updateTable('api_keys')
      .set({
        rotated_at: sql<Date>`now()`,
        expires_at: sql<Date>`least(expires_at, date_trunc('milliseconds', now()) + make_interval(hours => ${overlap_hours}))`,
      })
      .where('id', '=', old.id)
      .execute();
    await refuseBeyondLimit(trx, account_id);
    const { name, scopes, expires_at } = old;
    const { id, plaintext } = await insertKey(trx, config.apiKeyLead, {
      account_id,
      created_by,
      name,
      scopes,
      expires_at,
    });
    const rows = await keysOf(trx, account_id).where('key.id', 'in', [id, old.id]).execute();
    const [made, replaced] = [id, old.id].map((wantedId) => rows.find((row) => row.id === wantedId));
    if (!made || !replaced) throw new Error('A key that was just written is missing.');
    const api_key = showKey(made);
    await appendEvents(trx, account_id, cause, [{ type: 'api_key.created', data: { api_key_id: api_key.id } }]);
    return {
      status: 201,
      body: { api_key, plaintext_key: plaintext, replaced: showKey(replaced), next_action: storeNow },
      repeat: { plaintext_key: null, next_action: rotateIfLost(api_key.id) },
    };
  });
}

/** Locks the key: of two concurrent rotations the second is refused. */
async function lockActive(trx: Trx, accountId: string, shownId: string) {
  const id = readId('key', shownId);
  const row =
    id &&
    (await keysOf(trx, accountId)
      .select('key.rotated_at')
      .where('key.id', '=', id)
      .forUpdate('key')
      .executeTakeFirst());
  if (!row) throw new Refusal('api_key_not_found');
  if (row.status === 'active' && row.rotated_at === null) return row;
  if (row.status === 'active')
    throw new Refusal('invalid_request', {
      message: 'The key was already rotated.',
      action: 'Rotate the newer key, or create one with POST /api/v1/api-keys.',
    });
  throw new Refusal('invalid_request', {
    message: `The key is ${row.status}.`,
    action: 'Create a new key with POST /api/v1/api-keys.',
  });
}
