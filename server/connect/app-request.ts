import type { Scope } from '../../contract/endpoint.ts';
import { scopes as allScopes } from '../../contract/keys.ts';
import type { Signer } from '../lib/signer.ts';

/** What an app asks a person for. The library signed the query when it had checked it. */
export type AppRequest = { query: string; clientId: string; redirectUri: string; scopes: Scope[]; expiresAt: Date };

const purpose = 'app request';

/** The page hands it back. A page with another query shows nothing. */
export const writeRequest = (signer: Signer, query: string): string =>
  `${Buffer.from(query).toString('base64url')}.${signer.sign(purpose, query)}`;

/** Null for one that was not written here, or is over. */
export function readRequest(signer: Signer, token: string): AppRequest | null {
  const [encoded = '', mac = '', ...rest] = token.split('.');
  const query = Buffer.from(encoded, 'base64url').toString();
  if (rest.length > 0 || !signer.verify(purpose, query, mac)) return null;
  const fields = new URLSearchParams(query);
  const expiresAt = new Date(Number(fields.get('exp')) * 1000);
  if (expiresAt.getTime() <= Date.now()) return null;
  const scopeNames = fields.get('scope')?.split(' ') ?? [];
  return {
    query,
    clientId: fields.get('client_id') ?? '',
    redirectUri: fields.get('redirect_uri') ?? '',
    scopes: allScopes.filter((scope) => scopeNames.includes(scope)),
    expiresAt,
  };
}
