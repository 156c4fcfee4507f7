import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '../../contract/endpoint.ts';
import { Refusal } from './refusal.ts';
import type { Signer } from '../lib/signer.ts';
import type { Person } from './request.ts';

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
    action: `Send the csrf_token of GET /api/v1/me as x-service-csrf-token, or Origin: ${new URL(publicUrl).origin}.`,
  });

type Site = { signer: Signer; publicUrl: string };

/** Browsers always say where a change comes from. */
const namesNoOrigin = ({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  origin === undefined && site === undefined;

/** A valid token is enough everywhere. Where an endpoint does not require it, so is the same origin. */
export function csrfRefusal(
  { signer, publicUrl }: Site,
  endpoint: Endpoint,
  person: Person,
  headers: IncomingHttpHeaders,
): Refusal | null {
  if (!person.byCookie) return null;
  if (!endpoint.csrf && endpoint.method === 'GET') return null;
  const token = headers['x-service-csrf-token'];
  if (typeof token === 'string' && signer.verify('csrf', person.sessionId, token)) return null;
  if (endpoint.csrf) return new Refusal('csrf_token_invalid');
  return namesNoOrigin(headers) ? unnamedOrigin(publicUrl) : crossSite(publicUrl, headers);
}
