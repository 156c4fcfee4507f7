import { type Selectable, sql } from 'kysely';
import { maxActiveKeys } from '../../contract/developer/keys.ts';
import { databaseTime, type Db, lockAccount, type Trx } from '../db/pool.ts';
import { newId } from '../lib/id.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import type { ApiKeys } from '../tables.ts';
import { mintKey } from './key-finder.ts';

export async function readExpiry(db: Db | Trx, expires_at: string | null): Promise<Date | null> {
  const expires = expires_at === null ? null : new Date(expires_at);
  if (expires && expires <= (await databaseTime(db)))
    throw badBody([{ location: '/expires_at', message: 'must be in the future' }]);
  return expires;
}

/** Locks the account's counters, so that keys made at the same time are counted. */
export async function refuseBeyondLimit(trx: Trx, accountId: string): Promise<void> {
  await lockAccount(trx, accountId);
  const { active } = await trx
    .selectFrom('api_keys')
    .select(sql<number>`count(*)::int`.as('active'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('app_client_id', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirstOrThrow();
  if (active < maxActiveKeys) return;
  throw new Refusal('limit_reached', {
    message: `The account has ${active} active keys; it may have ${maxActiveKeys}.`,
    action: 'Revoke one that is no longer used; GET /api/v1/api-keys shows when each was last used.',
  });
}

type NewKey = Pick<Selectable<ApiKeys>, 'account_id' | 'created_by' | 'name' | 'scopes' | 'expires_at'> & {
  app_client_id?: string;
};

/** The plaintext is only in the answer. It is neither stored nor logged. */
export async function insertKey(trx: Trx, lead: string, key: NewKey): Promise<{ id: string; plaintext: string }> {
  const { plaintext, prefix, digest } = mintKey(lead);
  const row = await trx
    .insertInto('api_keys')
    .values({ ...key, id: newId(), prefix, secret_sha256: digest })
    .onConflict((conflict) => conflict.column('prefix').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return insertKey(trx, lead, key); // one prefix in 10^12 is taken: draw again
  return { id: row.id, plaintext };
}

export const storeNow = 'Store the key now; it is not shown again.';

/** For a repeat, which has no key. */
export const rotateIfLost = (id: string) =>
  `The key was shown once. If it is lost, replace it with POST /api/v1/api-keys/${id}/rotate.`;
