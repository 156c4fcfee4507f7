import { issuerPath } from '../../contract/oauth.ts';
import { type FormAnswer, oauthError } from './form.ts';
import { claimedName } from './metadata-documents.ts';
import type { Provider } from './terms.ts';

type Dependencies = { provider: Provider; publicUrl: string };

/** RFC 7591, for apps without a metadata document. They get no secret, whatever they ask for. */
export async function registerApp({ provider, publicUrl }: Dependencies, body: unknown): Promise<FormAnswer> {
  if (typeof body !== 'object' || body === null || !('redirect_uris' in body) || !Array.isArray(body.redirect_uris))
    return oauthError('invalid_redirect_uri', 'redirect_uris are required.');
  const { redirect_uris } = body;
  if (redirect_uris.length > 20 || redirect_uris.some(isTooLong))
    return oauthError('invalid_redirect_uri', 'At most 20 redirect_uris, each of at most 500 characters.');
  const answer = await provider(
    new Request(`${publicUrl}${issuerPath}/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: claimedName('client_name' in body ? body.client_name : undefined, 'An app without a name'),
        redirect_uris: redirect_uris as unknown[],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: redirect_uris.every(isWeb) ? 'web' : 'native',
      }),
    }),
  );
  const registered: unknown = await answer.json().catch(() => null);
  if (typeof registered !== 'object' || registered === null) return oauthError('server_error', 'Try again.', 503);
  return { status: answer.status, body: registered };
}

const isWeb = (uri: unknown): boolean => typeof uri === 'string' && uri.startsWith('https://');

const isTooLong = (uri: unknown): boolean => typeof uri === 'string' && uri.length > 500;
