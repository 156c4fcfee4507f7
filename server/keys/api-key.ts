import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import type { Scope } from '../../contract/endpoint.ts';
import type { KeyCaller } from '../accounts/caller.ts';
import { coalesce } from '../kit/coalesce.ts';
import type { Db } from '../kit/db.ts';
import { showId } from '../kit/id.ts';
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

/** Active keys by prefix. `unseen`: the last use was noted more than a minute ago. */
const activeKeys = (db: Db, prefixes: readonly string[]) =>
  db
    .selectFrom('api_keys as key')
    .innerJoin('auth.account as account', 'account.id', 'key.account_id')
    .where('key.prefix', '=', sql<string>`any(${[...new Set(prefixes)]}::text[])`)
    .where('key.revoked_at', 'is', null)
    .where((one) => one.or([one('key.expires_at', 'is', null), one('key.expires_at', '>', sql<Date>`now()`)]))
    .select(['key.id', 'key.prefix', 'key.secret_sha256', 'key.scopes', 'key.account_id', 'account.name'])
    .select(sql<boolean>`coalesce(key.last_used_at < now() - interval '1 minute', true)`.as('unseen'))
    .execute();

const nobody = Buffer.alloc(32);

/**
 * Finds the caller behind a key. All requests of one tick share one statement and nothing is cached, so a revoked key
 * stops at once in every process. An unknown prefix costs the same hash and comparison as a wrong secret.
 */
export function openKeyFinder(db: Db, log: FastifyBaseLogger): (key: KeyParts) => Promise<KeyCaller | null> {
  const findRow = coalesce(
    async (prefixes: readonly string[]) => {
      const rows = new Map((await activeKeys(db, prefixes)).map((row) => [row.prefix, row]));
      return prefixes.map((prefix) => rows.get(prefix) ?? null);
    },
    { atMost: 500, inFlight: 2 },
  );
  const noting = new Set<string>();

  /** At most once a minute per key, beside the request; a failure costs the note and nothing else. */
  function noteUse(id: string): void {
    if (noting.has(id)) return;
    noting.add(id);
    db.updateTable('api_keys')
      .set({ last_used_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`)
      .execute()
      .catch((error: unknown) => log.warn({ err: error }, 'the last use of an API key was not noted'))
      .finally(() => noting.delete(id));
  }

  return async ({ prefix, digest }) => {
    const row = await findRow(prefix);
    const proven = timingSafeEqual(row?.secret_sha256 ?? nobody, digest);
    if (!row || !proven) return null;
    if (row.unseen) noteUse(row.id);
    return {
      method: 'api_key',
      accountId: row.account_id,
      accountName: row.name,
      role: null,
      scopes: row.scopes as Scope[],
      keyId: row.id,
      prefix,
    };
  };
}
