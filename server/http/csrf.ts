import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { Refusal } from './refusal.ts';
import type { Signer } from '../lib/signer.ts';
import type { Person } from './caller.ts';

export const csrfToken = (signer: Signer, sessionId: string): string => signer.sign('csrf', sessionId);

/** Whether a browser reports a request from another site. Other clients report nothing. */
export function crossSite(publicUrl: string, headers: IncomingHttpHeaders): Refusal | null {
  const { origin, 'sec-fetch-site': site } = headers;
  const { origin: own } = new URL(publicUrl);
  const foreign =
    (origin !== undefined && origin !== own) || (site !== undefined && site !== 'same-origin' && site !== 'none');
  if (!foreign) return null;
  return new Refusal('csrf_token_invalid', {
    message: 'The request comes from another origin. Programs send Authorization: Bearer instead of the cookie.',
    action: `Open this page at ${own}.`,
    details: [{ location: 'origin', message: `must be ${own}` }],
  });
}

const unnamedOrigin = (publicUrl: string) =>
  new Refusal('csrf_token_invalid', {
    message: 'The request is signed in by a cookie and does not say where it comes from.',
    action: `Send Origin: ${new URL(publicUrl).origin}, as browsers do, or Authorization: Bearer instead of the cookie.`,
  });

type Site = { signer: Signer; publicUrl: string };

/** Browsers always say where a change comes from. */
const namesNoOrigin = ({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  origin === undefined && site === undefined;

/** A token if the endpoint requires one, otherwise same origin for every mutation. */
export function csrfRefusal(
  { signer, publicUrl }: Site,
  endpoint: Endpoint,
  person: Person,
  headers: IncomingHttpHeaders,
): Refusal | null {
  if (!person.byCookie) return null;
  if (!endpoint.csrf && endpoint.method === 'GET') return null;
  if (!endpoint.csrf) return namesNoOrigin(headers) ? unnamedOrigin(publicUrl) : crossSite(publicUrl, headers);
  const token = headers['x-service-csrf-token'];
  const holds = typeof token === 'string' && signer.verify('csrf', person.sessionId, token);
  return holds ? null : new Refusal('csrf_token_invalid');
}
