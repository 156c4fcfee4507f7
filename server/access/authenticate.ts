import type { FastifyBaseLogger } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Auth } from '../sign-in/auth.ts';
import { resourceOf } from '../../contract/developer/oauth.ts';
import type { Credential, EndedKey, KeyCaller, Person, WorkerCaller, Guest } from '../http/request.ts';
import { findPerson } from '../sign-in/session.ts';
import type { Db } from '../db/pool.ts';
import { createKeyFinder } from '../keys/api-key.ts';
import { accessTokenLead, createAppFinder } from '../keys/app-token.ts';
import { readKey } from '../keys/key-finder.ts';
import { createWorkerFinder, workerKeyLead } from '../keys/worker-key.ts';
import { findGuest, reviewTokenLead, showTokenLead } from '../keys/review-link.ts';

export type AuthenticateDependencies = {
  db: Db;
  auth: Auth;
  log: FastifyBaseLogger;
  publicUrl: string;
  config: { apiKeyLead: string };
};
type Authenticate = (request: IncomingMessage) => Promise<KeyCaller | WorkerCaller | Person | EndedKey | null>;

/** Finds the caller by API key, access token, worker key or session. Null without a working credential. */
export function createAuthenticate(dependencies: AuthenticateDependencies): Authenticate {
  const { db, auth, log, publicUrl } = dependencies;
  const { apiKeyLead } = dependencies.config;
  const findKey = createKeyFinder(db, log);
  const findWorker = createWorkerFinder(db, log);
  const findApp = createAppFinder(db, log, resourceOf(publicUrl));
  return async (request) => {
    const credential = readCredential(request, auth.cookieName);
    if (!credential) return null;
    const lead = 'bearer' in credential ? credential.bearer.split('_')[0] : undefined;
    if ('bearer' in credential && lead === accessTokenLead) return findApp(credential.bearer);
    if ('cookie' in credential || (lead !== apiKeyLead && lead !== workerKeyLead))
      return findPerson(db, auth, credential);
    const key = readKey(lead, credential.bearer);
    return key && (lead === workerKeyLead ? findWorker(key) : findKey(key));
  };
}

/**
 * When a request has both, only the Authorization header counts, even if it is invalid: falling back to the
 * cookie would let a forged header switch the CSRF check off. Repeated credentials count as none, because
 * another reader might pick the other one.
 */
function readCredential(request: IncomingMessage, cookieName: string): Credential | null {
  const authorizations = request.rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  if (authorizations.length > 1) return null;
  if (request.headers.authorization !== undefined) {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization) ?? [];
    return bearer ? { bearer } : null;
  }
  const cookies = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`));
  return cookies[0] && cookies.length === 1 ? { cookie: cookies[0].slice(cookieName.length + 1) } : null;
}

/** Finds the guest by `Authorization: Review <token>`. Null without a token that works. Ignores cookies. */
export async function authenticateGuest(db: Db, request: IncomingMessage): Promise<Guest | null> {
  const token = readToken(request);
  const parts = token && (readKey(reviewTokenLead, token) ?? readKey(showTokenLead, token));
  return parts ? findGuest(db, parts) : null;
}

/** A repeated header counts as none, because another reader might pick the other one. */
function readToken({ rawHeaders }: IncomingMessage): string | null {
  const [value = '', ...others] = rawHeaders.filter(
    (_, at) => at % 2 === 1 && /^authorization$/i.test(rawHeaders[at - 1] ?? ''),
  );
  return others.length > 0 ? null : (/^Review +(\S+)$/i.exec(value)?.[1] ?? null);
}
