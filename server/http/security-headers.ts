import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const contentSecurityPolicy = {
  directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  useDefaults: false,
};

export function securityHeaders(): Record<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  helmet({ contentSecurityPolicy })(answer.req, answer, () => {});
  return Object.fromEntries(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]));
}
