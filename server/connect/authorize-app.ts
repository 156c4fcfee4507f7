import { issuerPath, resourceOf } from '../../contract/oauth.ts';
import { customerPages } from '../../contract/pages.ts';
import type { Signer } from '../lib/signer.ts';
import { writeRequest } from './app-request.ts';
import { readForm } from './form.ts';
import { type Provider, refreshScope } from './terms.ts';

type Dependencies = { provider: Provider; publicUrl: string; signer: Signer };

/** What is passed on. `request` and `request_uri` are passed so that they are refused. */
const passedOn = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'response_mode',
  'request',
  'request_uri',
];

/**
 * Checks the request of an app, whoever is signed in. Returns where the browser goes: to our page, or to the
 * app with an error. To an app only if its address is known and it registered the redirect.
 */
export async function authorizeApp({ provider, publicUrl, signer }: Dependencies, sent: URLSearchParams) {
  const form = readForm(sent.toString());
  if (!form) return pageOf({ error: 'invalid_request', error_description: 'A parameter is repeated.' });
  const query = new URLSearchParams(passedOn.flatMap((name) => (form.has(name) ? [[name, form.get(name) ?? '']] : [])));
  query.set('scope', scopeOf(form.get('scope')));
  const resources = form.getAll('resource');
  for (const resource of resources.length > 0 ? resources : [resourceOf(publicUrl)]) query.append('resource', resource);
  const answer = await provider(new Request(`${publicUrl}${issuerPath}/oauth2/authorize?${query}`));
  const location = answer.headers.get('location');
  if (location === null) return pageOf({ error: 'invalid_request', error_description: 'The app cannot be let in.' });
  const { pathname, origin, searchParams } = new URL(location, publicUrl);
  const isOurs = origin === new URL(publicUrl).origin && pathname === customerPages.connect;
  if (!isOurs) return location;
  if (!searchParams.has('sig')) return pageOf(errorOf(searchParams));
  if (form.get('prompt') === 'none') return toApp(searchParams, publicUrl + issuerPath);
  const request = writeRequest(signer, searchParams.toString());
  if (request.length > 4000) return pageOf({ error: 'invalid_request', error_description: 'The request is too long.' });
  return pageOf({ request });
}

/** Reading is the least that can be asked for; the app always gets a refresh token. */
function scopeOf(text: string | null): string {
  const scopes = (text ?? '').split(' ').filter((scope) => scope !== '' && scope !== refreshScope);
  return [...(scopes.length === 0 ? ['api:read'] : scopes), refreshScope].join(' ');
}

const pageOf = (query: Record<string, string>) => `${customerPages.connect}?${new URLSearchParams(query)}`;

const errorOf = (fields: URLSearchParams) => ({
  error: fields.get('error') ?? 'invalid_request',
  error_description: fields.get('error_description') ?? 'The request cannot be answered.',
});

/** An app that wants no page is told that a person must be asked. The library has checked its address. */
function toApp(query: URLSearchParams, iss: string): string {
  const url = new URL(query.get('redirect_uri') ?? '');
  const state = query.get('state');
  const answer = { error: 'consent_required', error_description: 'A person must be asked.', iss };
  for (const [name, value] of Object.entries({ ...answer, ...(state === null ? {} : { state }) }))
    url.searchParams.set(name, value);
  return url.href;
}
