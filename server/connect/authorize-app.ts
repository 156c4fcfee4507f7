import { sql } from 'kysely';
import { authorizePath, issuerPath } from '../../contract/developer/oauth.ts';
import { customerPages } from '../../contract/pages.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';
import { longestRequest, writeRefused, writeRequest } from './app-request.ts';
import { type Form, readForm, resourcesOf } from './form.ts';
import { nameIssuer } from './metadata.ts';
import { askedScope, type Provider } from './terms.ts';

type Dependencies = { db: Db; provider: Provider; publicUrl: string; signer: Signer };

/**
 * What is passed on. `request` and `request_uri` are passed so that they are refused, `iss` so that the
 * answer names the issuer by which the app came.
 */
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
  'iss',
];

/**
 * Checks the request of an app. Returns where the browser goes: to our page, or with an error to an app that
 * this person let in before. Nothing is read or stored for somebody who is not signed in.
 */
export async function authorizeApp(dependencies: Dependencies, sent: URLSearchParams, userId: string | null) {
  const { db, provider, publicUrl, signer } = dependencies;
  const form = readForm(sent.toString());
  if (!form) return pageOf({ error: 'invalid_request' });
  if (userId === null && !(await isRegistered(db, form.get('client_id')))) return afterSigningIn(form);
  const query = pick(form, passedOn);
  query.set('scope', askedScope(form.get('scope')));
  for (const resource of resourcesOf(publicUrl, form)) query.append('resource', resource);
  const answer = await provider(new Request(`${publicUrl}${authorizePath}?${query}`));
  const location = answer.headers.get('location');
  if (location === null) return pageOf({ error: 'invalid_request' });
  const { pathname, origin, searchParams } = new URL(location, publicUrl);
  const isOurs = origin === new URL(publicUrl).origin && pathname === customerPages.connect;
  const isFit = isOurs && searchParams.has('sig') && form.get('prompt') !== 'none';
  if (userId === null) return isFit ? pageOfRequest(signer, searchParams) : afterSigningIn(form);
  if (!isOurs) return refuse(dependencies, userId, query, location);
  if (!searchParams.has('sig')) return pageOf({ error: errorOf(searchParams, query) });
  if (form.get('prompt') === 'none') {
    const denial = consentRequired(searchParams, publicUrl + issuerPath);
    return refuse(dependencies, userId, query, denial);
  }
  return pageOfRequest(signer, searchParams);
}

function pageOfRequest(signer: Signer, signed: URLSearchParams): string {
  const request = writeRequest(signer, signed.toString());
  return pageOf(request.length > longestRequest ? { error: 'invalid_request' } : { request });
}

const pageOf = (query: Record<string, string>) => `${customerPages.connect}?${new URLSearchParams(query)}`;

/** The page sends the browser here again. */
function afterSigningIn(form: Form): string {
  const query = pick(form, [...passedOn, 'prompt']);
  for (const resource of form.getAll('resource')) query.append('resource', resource);
  const resume = query.toString();
  return pageOf(resume.length > longestRequest ? { error: 'invalid_request' } : { resume });
}

const pick = (form: Form, names: string[]) =>
  new URLSearchParams(names.flatMap((name) => (form.has(name) ? [[name, form.get(name) ?? '']] : [])));

/** The library has one word for an app that it does not know and for one whose document cannot be read. */
function errorOf(answer: URLSearchParams, query: URLSearchParams): string {
  const error = answer.get('error') ?? 'invalid_request';
  return error === 'invalid_client' && query.get('client_id')?.includes('://') ? 'unreadable_document' : error;
}

/**
 * The library has checked the address. Anybody can register one, so only an app that the person
 * let in gets the browser without a click: RFC 9700, 4.11.2.
 */
async function refuse(dependencies: Dependencies, userId: string, query: URLSearchParams, address: string) {
  const { db, publicUrl, signer } = dependencies;
  const location = nameIssuer(address, publicUrl, query.get('iss'));
  const clientId = query.get('client_id') ?? '';
  if (await isLetIn(db, userId, clientId)) return location;
  const { searchParams, hash } = new URL(location);
  const error = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error') ?? 'invalid_request';
  const request = writeRefused(signer, { client_id: clientId, redirect_uri: location });
  return pageOf({ error, ...(request.length > longestRequest ? {} : { request }) });
}

/** Registered here, so that no document is read for it. */
async function isRegistered(db: Db, clientId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from oauth_clients where client_id = ${clientId} and client_discovery_id is null limit 1`.execute(db);
  return rows.length > 0;
}

async function isLetIn(db: Db, userId: string, clientId: string): Promise<boolean> {
  const { rows } = await sql`
    select from api_keys
    where created_by = ${userId} and app_client_id = ${clientId} and revoked_at is null and expires_at > now()
    limit 1`.execute(db);
  return rows.length > 0;
}

/** An app that wants no page learns that a person must be asked. The library has checked its address. */
function consentRequired(query: URLSearchParams, iss: string): string {
  const url = new URL(query.get('redirect_uri') ?? '');
  const state = query.get('state');
  const answer = { error: 'consent_required', error_description: 'A person must be asked.', iss };
  for (const [name, value] of Object.entries({ ...answer, ...(state === null ? {} : { state }) }))
    url.searchParams.set(name, value);
  return url.href;
}
