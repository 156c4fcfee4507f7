import type { Endpoint, Scope } from '../../contract/endpoint.ts';
import { scopes } from '../../contract/developer/keys.ts';
import { resourceMetadataOf } from '../../contract/developer/oauth.ts';
import { Refusal } from '../http/refusal.ts';
import { customerPages, deskPages } from '../../contract/pages.ts';
import type { EndedKey } from '../http/request.ts';

type Lack = { error: 'invalid_token' | 'insufficient_scope'; description: string };

export type Door = Pick<Endpoint, 'auth' | 'path'>;

/**
 * `WWW-Authenticate`: what is wrong with the credential and, where apps are served, how to be let in. Hosts
 * ask for exactly the scopes that stand here, so it names all of them. The person chooses.
 */
export function challenge(publicUrl: string, { auth, path }: Door, lack?: Lack): string {
  const parts = {
    ...(lack ? { error: lack.error, error_description: lack.description } : {}),
    ...(auth === 'caller' ? { scope: scopes.join(' '), resource_metadata: resourceMetadataOf(publicUrl, path) } : {}),
  };
  const parameters = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
  return ['Bearer', parameters.join(', ')].join(' ').trimEnd();
}

/** RFC 6750, 3.1: a request without a credential gets no error code. */
export function unauthenticated(publicUrl: string, door: Door, authorization: string | undefined): Refusal {
  const lack = { error: 'invalid_token', description: 'The credential is not known' } as const;
  const header = challenge(publicUrl, door, authorization === undefined ? undefined : lack);
  return new Refusal('unauthenticated', { headers: { 'www-authenticate': header } });
}

export function lacksScope(publicUrl: string, door: Door, scope: Scope): Refusal {
  const lack = { error: 'insufficient_scope', description: `The scope ${scope} is missing` } as const;
  return new Refusal('insufficient_scope', {
    message: `The app does not have the scope ${scope}.`,
    action: 'Ask your user to connect the app again and to choose “Read and order” there.',
    headers: { 'www-authenticate': challenge(publicUrl, door, lack) },
  });
}

/** An app whose token expired refreshes it; one whose grant ended asks its person again. */
function endedApp(publicUrl: string, door: Door, because: EndedKey['because']): Refusal {
  const ended = because === 'expired' ? 'expired' : 'was ended';
  return new Refusal('unauthenticated', {
    message: `The access of this app ${ended}.`,
    action: `Use the refresh token. If that is refused, ask your user to connect the app again at ${publicUrl}.`,
    headers: {
      'www-authenticate': challenge(publicUrl, door, { error: 'invalid_token', description: `The access ${ended}` }),
    },
  });
}

export function endedKey(publicUrl: string, door: Door, { kind, because, at }: EndedKey): Refusal {
  if (kind === 'app') return endedApp(publicUrl, door, because);
  const [key, maker, page] =
    kind === 'api_key'
      ? ['API key', 'An owner or admin of the account', customerPages.keys]
      : ['worker key', 'An operator of the studio', deskPages.workers];
  const ended = because === 'expired' ? 'expired' : 'was revoked';
  return new Refusal('unauthenticated', {
    message: `This ${key} ${ended}${at ? ` on ${at.toISOString()}` : ''}.`,
    action: `${maker} can make a new one at ${new URL(page, publicUrl).href}.`,
    headers: {
      'www-authenticate': challenge(publicUrl, door, { error: 'invalid_token', description: `The ${key} ${ended}` }),
    },
  });
}
