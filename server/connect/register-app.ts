import { randomBytes } from 'node:crypto';
import type { Db } from '../db/pool.ts';
import { claimedName, clientRow } from './client.ts';
import { type FormAnswer, oauthError } from './form.ts';
import { redirectsFault } from './redirect-rules.ts';
import { askedScope } from './terms.ts';

/** RFC 7591, for apps without a metadata document. They get no secret, whatever they ask for. */
export async function registerApp({ db }: { db: Db }, body: unknown): Promise<FormAnswer> {
  const metadata = (body ?? {}) as { client_name?: unknown; redirect_uris?: unknown };
  const fault = redirectsFault(metadata.redirect_uris);
  if (fault !== null) return oauthError('invalid_redirect_uri', fault);
  const clientId = randomBytes(16).toString('hex');
  const name = claimedName(metadata.client_name, 'An app without a name');
  const row = clientRow({ clientId, name, redirects: metadata.redirect_uris as string[] });
  const { created_at } = await db
    .insertInto('oauth_clients')
    .values(row)
    .returning('created_at')
    .executeTakeFirstOrThrow();
  return {
    status: 201,
    body: {
      client_id: clientId,
      client_id_issued_at: Math.floor((created_at?.getTime() ?? 0) / 1000),
      client_name: name,
      redirect_uris: metadata.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: row.token_endpoint_auth_method,
      application_type: row.application_type,
      scope: askedScope(null),
    },
  };
}
