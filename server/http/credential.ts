import type { IncomingMessage } from 'node:http';

/** The one credential of a request, not yet verified: what follows `Bearer`, or the value of the session's cookie. */
export type Credential = { bearer: string } | { cookie: string };

/**
 * Where both are sent only the Authorization header counts, also when it is not valid: falling back to the cookie would
 * let a forged header switch the CSRF check off. Two of a kind count as none, since another reader might believe the other.
 */
export function readCredential(request: IncomingMessage, cookieName: string): Credential | null {
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
