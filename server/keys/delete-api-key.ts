import { sql } from 'kysely';
import type { deleteApiKey as endpoint } from '../../contract/developer/keys.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Db, transact } from '../db/pool.ts';
import { appendEvents } from '../events/append-events.ts';
import { readId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import { keysOf, showKey } from './api-key.ts';
import { endLinksOfRevokedKeys } from './review-link.ts';

/** The row stays. Idempotent: the time of the first call counts. */
export async function deleteApiKey(
  { db }: { db: Db },
  { caller: { accountId }, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('key', params.id);
  if (id === null) throw new Refusal('api_key_not_found');
  return transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('api_keys')
      .set({ revoked_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('app_client_id', 'is', null)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    const row = await keysOf(trx, accountId).where('key.id', '=', id).executeTakeFirst();
    if (!row) throw new Refusal('api_key_not_found');
    const api_key_id = params.id;
    if (numUpdatedRows > 0n) {
      await endLinksOfRevokedKeys(trx, accountId, cause);
      await appendEvents(trx, accountId, cause, [{ type: 'api_key.revoked', data: { api_key_id } }]);
    }
    return { status: 200, body: { api_key: showKey(row) } };
  });
}
