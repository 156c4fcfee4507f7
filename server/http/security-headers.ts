import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const contentSecurityPolicy = {
  directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  useDefaults: false,
};

/** Reads without a credential, which pages of any origin may do, as viewers of API documents do. */
export const isForAnyOrigin = (route = ''): boolean =>
  /^\/(?:api\/v1\/(?:openapi\.json|catalog|plans)|docs(?:[/.].*)?)$/.test(route);

export function securityHeaders(): Record<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  helmet({ contentSecurityPolicy })(answer.req, answer, () => {});
  return Object.fromEntries(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]));
}
