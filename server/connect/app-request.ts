import type { Scope } from '../../contract/endpoint.ts';
import { scopes as allScopes } from '../../contract/developer/keys.ts';
import type { Signer } from '../lib/signer.ts';

/** What an app asks a person for. The library signed the query when it had checked it. */
export type AppRequest = {
  query: string;
  clientId: string;
  /** Of a refused request: the address with the error, to which only the person leads the browser. */
  redirectUri: string;
  isRefused: boolean;
  scopes: Scope[];
  expiresAt: Date;
};

/** In characters, as the contract has it. */
export const longestRequest = 4000;
/** How long a person has to decide. */
export const requestSeconds = 30 * 60;

const purpose = 'app request';
const refusedPurpose = 'refused app request';

const write = (signer: Signer, query: string, use: string): string =>
  `${Buffer.from(query).toString('base64url')}.${signer.sign(use, query)}`;

/** The page hands it back. A page with another query shows nothing. */
export const writeRequest = (signer: Signer, query: string): string => write(signer, query, purpose);

export function writeRefused(signer: Signer, fields: { client_id: string; redirect_uri: string }): string {
  const exp = String(Math.floor(Date.now() / 1000) + requestSeconds);
  return write(signer, new URLSearchParams({ ...fields, exp }).toString(), refusedPurpose);
}

/** Null for one that was not written here, or is over. */
export function readRequest(signer: Signer, token: string): AppRequest | null {
  const [encoded = '', mac = '', ...rest] = token.split('.');
  const query = Buffer.from(encoded, 'base64url').toString();
  const isRefused = signer.verify(refusedPurpose, query, mac);
  if (rest.length > 0 || (!isRefused && !signer.verify(purpose, query, mac))) return null;
  const fields = new URLSearchParams(query);
  const expiresAt = new Date(Number(fields.get('exp')) * 1000);
  if (expiresAt.getTime() <= Date.now()) return null;
  const scopeNames = fields.get('scope')?.split(' ') ?? ['api:read'];
  return {
    query,
    clientId: fields.get('client_id') ?? '',
    redirectUri: fields.get('redirect_uri') ?? '',
    isRefused,
    scopes: allScopes.filter((scope) => scopeNames.includes(scope)),
    expiresAt,
  };
}
