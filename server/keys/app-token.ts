import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { hash } from 'node:crypto';
import type { Scope } from '../../contract/endpoint.ts';
import { batch } from '../db/batch.ts';
import type { Db } from '../db/pool.ts';
import type { Role } from '../../contract/plans/roles.ts';
import type { EndedKey, KeyCaller } from '../http/request.ts';
import { keyCaller, noteUse } from './api-key.ts';
import { isUnseen } from './key-finder.ts';

/** The leads of the tokens of connected apps. Configuration cannot give them to API keys. */
export const accessTokenLead = 'ato';
export const refreshTokenLead = 'atf';

/** The hash under which the sign-in library stores what follows the lead. Null for other text. */
export function tokenHash(lead: string, token: string): string | null {
  const [, textLead, secret] = /^([a-z]{3})_([A-Za-z]{32})$/.exec(token) ?? [];
  return textLead === lead && secret !== undefined ? hash('sha256', secret, 'base64url') : null;
}

type TokenRow = {
  token: string;
  id: string;
  account_id: string;
  name: string;
  app_name: string;
  suspended_since: Date | null;
  prefix: string;
  scopes: Scope[];
  until: Date;
  role: Role | null;
  orders_wait: boolean;
  unseen: boolean;
  ended: EndedKey['because'] | null;
  ended_at: Date | null;
};

/**
 * A token works while it and its grant do, for this resource only, and never does more than its grant or its
 * person: the version before lets apps of reviewers write.
 */
async function tokensWithHashes(db: Db, hashes: readonly string[], resource: string): Promise<TokenRow[]> {
  const { rows } = await sql<TokenRow>`
    select t.token, k.id, k.account_id, k.name as app_name, a.name, a.suspended_since, k.prefix, t.expires_at as until,
      m.role, coalesce(m.role = 'member' and m.orders = 'confirmed', false) as orders_wait, array(select s from unnest(k.scopes) s
        where t.scopes ? s and (s = 'api:read' or m.role is distinct from 'reviewer')) as scopes, ${isUnseen} as unseen,
      case when k.revoked_at is not null then 'revoked'
        when least(k.expires_at, t.expires_at) <= now() then 'expired' end as ended,
      coalesce(k.revoked_at, least(k.expires_at, t.expires_at)) as ended_at
    from oauth_access_tokens t
    join api_keys k on k.id::text = t.reference_id and k.app_client_id = t.client_id and k.created_by = t.user_id
    cross join lateral (select name, suspended_since from accounts where id = k.account_id limit 1) a
    left join members m on m.account_id = k.account_id and m.user_id = k.created_by
    where t.token = any (${hashes}::text[]) and t.resources ? ${resource} and t.revoked is null`.execute(db);
  return rows;
}

export function createAppFinder(
  db: Db,
  log: FastifyBaseLogger,
  resource: string,
): (token: string) => Promise<KeyCaller | EndedKey | null> {
  const findRow = batch(
    async (hashes: readonly string[]) => {
      const stored = await tokensWithHashes(db, [...new Set(hashes)], resource);
      const rows = new Map(stored.map((row) => [row.token, row]));
      return hashes.map((text) => rows.get(text) ?? null);
    },
    { maxBatchSize: 500, maxInFlight: 2 },
  );
  return async (token) => {
    const stored = tokenHash(accessTokenLead, token);
    const row = stored === null ? null : await findRow(stored);
    if (!row) return null;
    if (row.ended) return { method: 'ended_key', kind: 'app', because: row.ended, at: row.ended_at };
    if (row.unseen)
      noteUse(db, row.id).catch((error: unknown) =>
        log.warn({ err: error }, 'could not record the last use of an app'),
      );
    return keyCaller(row, { name: row.app_name, until: row.until, role: row.role }, row.orders_wait);
  };
}
