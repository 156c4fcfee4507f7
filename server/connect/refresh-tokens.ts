import { sql } from 'kysely';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { refreshTokenLead, tokenHash } from '../keys/app-token.ts';
import { type Form, type FormAnswer, oauthError } from './form.ts';
import { endGrantOf, type StoredToken } from './stored-token.ts';

/** How long a replaced token gives another pair: agents call in parallel, and answers get lost. */
const graceSeconds = 60;
const maxPairs = 20;

/** `excess`: more pairs than agents need. `reused`: replaced too long ago, so a thief may have it. */
type Verdict = number | 'excess' | 'reused';

/** The generation of the new pair. The grant is locked, so that its refreshes come one by one. */
async function judge(trx: Trx, token: string, grantId: string): Promise<Verdict> {
  await sql`select from api_keys where id = ${grantId}::uuid for no key update`.execute(trx);
  const { rows } = await sql<{
    replaced: boolean;
    generation: number | null;
    current: number | null;
    fresh: boolean | null;
    pairs: number;
  }>`
    select t.revoked is not null as replaced, t.generation, f.generation as current, f.pairs,
      f.began_at > now() - make_interval(secs => ${graceSeconds}) as fresh
    from oauth_refresh_tokens t
    left join lateral (
      select generation, min(paired_at) as began_at, count(*)::int as pairs from oauth_refresh_tokens
      where reference_id = t.reference_id and paired_at is not null
        and generation = (select max(generation) from oauth_refresh_tokens where reference_id = t.reference_id)
      group by generation
    ) f on true
    where t.token = ${token}`.execute(trx);
  const [row] = rows;
  const current = row?.current ?? 0;
  const presented = row?.generation ?? current;
  if (row?.replaced === false && presented === current) return current + 1;
  if (!row?.fresh || row.generation !== current - 1) return 'reused';
  return row.pairs < maxPairs ? current : 'excess';
}

type Exchange = (trx: Trx) => Promise<FormAnswer>;

/**
 * Exchanges a refresh token by `exchange`, which replaces it. A token of the generation before the current
 * one gives another pair for a minute. Any older one ends the grant.
 */
export const refreshTokens = (db: Db, form: Form, stored: StoredToken, requestId: string, exchange: Exchange) =>
  transact(db, async (trx): Promise<FormAnswer> => {
    const token = tokenHash(refreshTokenLead, form.get('refresh_token') ?? '') ?? '';
    const verdict = await judge(trx, token, stored.grant_id);
    if (verdict === 'excess')
      return oauthError('temporarily_unavailable', `This token gave ${maxPairs} pairs within a minute.`, 429);
    if (verdict === 'reused') {
      await endGrantOf(trx, stored, requestId);
      return oauthError(
        'invalid_grant',
        'This refresh token was replaced. The access has ended; ask the person again.',
      );
    }
    const wasReplaced = await markUnused(trx, token);
    const answer = await exchange(trx);
    if (answer.status === 200) await markPair(trx, token, answer.body, verdict);
    else if (wasReplaced)
      await sql`update oauth_refresh_tokens set revoked = now() where token = ${token}`.execute(trx);
    return answer;
  });

/** The library exchanges a token only once. Returns whether it was replaced. */
async function markUnused(trx: Trx, token: string): Promise<boolean> {
  const { rows } = await sql`
    update oauth_refresh_tokens set revoked = null where token = ${token} and revoked is not null returning 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/** The library narrows the new refresh token to what was asked for. RFC 6749, 6 leaves it as it was. */
async function markPair(trx: Trx, replaced: string, body: { refresh_token?: unknown }, generation: number) {
  const issued = tokenHash(refreshTokenLead, String(body.refresh_token));
  await sql`update oauth_refresh_tokens set generation = ${generation - 1} where token = ${replaced}`.execute(trx);
  await sql`update oauth_refresh_tokens
    set generation = ${generation}, paired_at = now(),
      scopes = (select scopes from oauth_refresh_tokens where token = ${replaced})
    where token = ${issued}`.execute(trx);
}
