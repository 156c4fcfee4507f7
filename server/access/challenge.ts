import type { Scope } from '../../contract/endpoint.ts';
import { resourceMetadataPath } from '../../contract/oauth.ts';
import { Refusal } from '../http/refusal.ts';

type Lack = { error: 'invalid_token' | 'insufficient_scope'; description: string };

/** `WWW-Authenticate`: where an app learns how to be let in, and what it lacks. */
export function challenge(publicUrl: string, lack?: Lack, scope = 'api:read'): string {
  const parts = {
    ...(lack ? { error: lack.error, error_description: lack.description } : {}),
    scope,
    resource_metadata: publicUrl + resourceMetadataPath,
  };
  return `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}

/** Says which scopes to ask the person for: those that the app should have afterwards. */
export function lacksScope(publicUrl: string, scope: Scope): Refusal {
  const lack = { error: 'insufficient_scope', description: `The scope ${scope} is missing` } as const;
  return new Refusal('insufficient_scope', {
    message: `The app does not have the scope ${scope}.`,
    action: 'Ask your user to connect the app again and to allow it to read and order.',
    headers: { 'www-authenticate': challenge(publicUrl, lack, 'api:read api:write') },
  });
}
