import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Scope } from '../../contract/endpoint.ts';
import type { KeyCaller } from '../http/caller.ts';
import type { Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { isUnseen, keyFinder } from './key-finder.ts';
import type { KeyParts } from './plaintext-key.ts';

/** Judged by the clock of the database. */
const status = sql<'active' | 'revoked' | 'expired'>`case
  when revoked_at is not null then 'revoked'
  when expires_at <= now() then 'expired'
  else 'active' end`.as('status');

/** What may be shown of a key; its hash is not among it. */
export const shown = [
  ...(['id', 'name', 'prefix', 'scopes', 'created_at', 'last_used_at', 'expires_at', 'revoked_at'] as const),
  status,
] as const;

export const keysOf = (db: Db, accountId: string) =>
  db.selectFrom('api_keys').where('account_id', '=', accountId).select(shown);

type ShownRow = Awaited<ReturnType<ReturnType<typeof keysOf>['executeTakeFirstOrThrow']>>;

export const showKey = (row: ShownRow) => ({
  id: showId('key', row.id),
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes as Scope[],
  status: row.status,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});

/** Active keys by prefix, with their accounts. */
const activeKeys = (db: Db, prefixes: readonly string[]) =>
  db
    .selectFrom('api_keys as key')
    .innerJoin('auth.account as account', 'account.id', 'key.account_id')
    .where('key.prefix', '=', sql<string>`any(${prefixes}::text[])`)
    .where('key.revoked_at', 'is', null)
    .where((one) => one.or([one('key.expires_at', 'is', null), one('key.expires_at', '>', sql<Date>`now()`)]))
    .select(['key.id', 'key.prefix', 'key.secret_sha256', 'key.scopes', 'key.account_id', 'account.name'])
    .select(isUnseen.as('unseen'))
    .execute();

const noteUse = (db: Db, id: string) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isUnseen)
    .execute();

/** Finds the caller behind an API key. */
export function createKeyFinder(db: Db, log: FastifyBaseLogger): (key: KeyParts) => Promise<KeyCaller | null> {
  const find = keyFinder({ active: (prefixes) => activeKeys(db, prefixes), noteUse: (id) => noteUse(db, id) }, log);
  return async (key) => {
    const row = await find(key);
    return (
      row && {
        method: 'api_key',
        accountId: row.account_id,
        accountName: row.name,
        role: null,
        scopes: row.scopes as Scope[],
        keyId: row.id,
        prefix: row.prefix,
      }
    );
  };
}
