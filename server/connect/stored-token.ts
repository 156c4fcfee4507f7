import { sql } from 'kysely';
import { hash } from 'node:crypto';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { byService } from '../http/request.ts';
import { accessTokenLead, refreshTokenLead, tokenHash } from '../keys/app-token.ts';
import { endApps } from '../keys/connected-app.ts';
import { type Form, type FormAnswer, oauthError } from './form.ts';

/** A token that was issued, with its grant as it stands now. */
export type StoredToken = {
  client_id: string;
  grant_id: string;
  account_id: string;
  /** Whether the grant is active and belongs to the app and the person of the token. */
  live: boolean;
};

const columns = sql`t.client_id, k.id as grant_id, k.account_id,
  k.revoked_at is null and k.expires_at > now() and k.app_client_id = t.client_id
    and k.created_by is not distinct from t.user_id as live`;

/** An access or refresh token that was sent. Null if it was never issued, or is forgotten. */
export async function findToken(db: Db | Trx, token: string): Promise<StoredToken | null> {
  const [access, refresh] = [tokenHash(accessTokenLead, token), tokenHash(refreshTokenLead, token)];
  const { rows } = await sql<StoredToken>`
    select ${columns} from oauth_access_tokens t
      join api_keys k on k.id::text = t.reference_id where t.token = ${access}
    union all
    select ${columns} from oauth_refresh_tokens t
      join api_keys k on k.id::text = t.reference_id where t.token = ${refresh}`.execute(db);
  return rows[0] ?? null;
}

/** Null for an access token: an app that mixes them up has not lost one to a thief. */
export const findRefreshToken = async (db: Db, token: string): Promise<StoredToken | null> =>
  tokenHash(refreshTokenLead, token) === null ? null : findToken(db, token);

/** The library hashes a code as a token, and again as an identifier. */
export const lockCode = (trx: Trx, code: string) =>
  sql`select from verifications where identifier = ${digestOf(digestOf(code))} for update`.execute(trx);

const digestOf = (code: string): string => hash('sha256', code, 'base64url');

/** The token that a code was exchanged for. Null for a code that is new, or was never exchanged. */
export async function findTokenOfCode(db: Db | Trx, code: string): Promise<StoredToken | null> {
  const { rows } = await sql<StoredToken>`
    select ${columns} from oauth_refresh_tokens t
    join api_keys k on k.id::text = t.reference_id
    where t.authorization_code_id = ${digestOf(code)} limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Ends the grant of a token, in the name of the service: an app has no other authority than its tokens. */
export const endGrantOf = (trx: Trx, { account_id, grant_id }: StoredToken, requestId: string) =>
  endApps(trx, { accountId: account_id, id: grant_id }, byService(requestId));

/** RFC 7009: any token of a grant ends the whole of it. An unknown token is answered like a known one. */
export async function revokeToken({ db }: { db: Db }, form: Form, { id }: { id: string }): Promise<FormAnswer> {
  const [token, clientId] = [form.get('token'), form.get('client_id')];
  if (!token || !clientId) return oauthError('invalid_request', 'token and client_id are required.');
  const stored = await findToken(db, token);
  if (stored?.client_id === clientId) await transact(db, (trx) => endGrantOf(trx, stored, id));
  return { status: 200, body: {} };
}
