import type { Scope } from '../../contract/endpoint.ts';
import { scopes } from '../../contract/keys.ts';
import { resourceMetadataPath } from '../../contract/oauth.ts';
import { Refusal } from '../http/refusal.ts';

type Lack = { error: 'invalid_token' | 'insufficient_scope'; description: string };

/**
 * `WWW-Authenticate`: where an app learns how to be let in, and what it lacks. Hosts ask for exactly the scopes
 * that stand here, so it names all of them. The person chooses.
 */
export function challenge(publicUrl: string, lack?: Lack): string {
  const parts = {
    ...(lack ? { error: lack.error, error_description: lack.description } : {}),
    scope: scopes.join(' '),
    resource_metadata: publicUrl + resourceMetadataPath,
  };
  return `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}

export function lacksScope(publicUrl: string, scope: Scope): Refusal {
  const lack = { error: 'insufficient_scope', description: `The scope ${scope} is missing` } as const;
  return new Refusal('insufficient_scope', {
    message: `The app does not have the scope ${scope}.`,
    action: 'Ask your user to connect the app again and to choose “Read and order” there.',
    headers: { 'www-authenticate': challenge(publicUrl, lack) },
  });
}
