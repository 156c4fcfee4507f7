import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const contentSecurityPolicy = {
  directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  useDefaults: false,
};

/**
 * What pages of any origin may request: reads without a credential, as viewers of API documents do, and what
 * a host in a browser needs of OAuth. None of them reads a cookie.
 */
export const isForAnyOrigin = (route: string): boolean =>
  /^\/(?:api\/v1\/(?:openapi\.json|catalog|plans)|docs(?:[/.].*)?|\.well-known\/oauth-.+)$/.test(route) ||
  /^\/api\/auth\/oauth2\/(?:token|revoke|register)$/.test(route);

export function securityHeaders(): Record<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  helmet({ contentSecurityPolicy })(answer.req, answer, () => {});
  return Object.fromEntries(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]));
}
