import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { readHealth, readMetrics, readReadiness } from '../../contract/studio/probes.ts';
import { isId, showId } from '../lib/id.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Signer } from '../lib/signer.ts';
import type { CallerOf } from './request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    refusedWith: ErrorCode | null;
  }
}

export const probes = new Set<string | undefined>([readHealth.path, readReadiness.path]);
/** Asked every few seconds, so their lines would hide the others. */
export const asksOften = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  probes.has(url) || url === readMetrics.path;

/** A line and the counts for each answer. */
export function logAnswers(app: FastifyInstance, metrics: Metrics, signer: Signer): void {
  app.decorateRequest('refusedWith', null);
  // Without a log line, the hash would be a wasted cost of each request.
  const [isDebug, isLogged] = [2, 3].map((most) => ['trace', 'debug', 'info'].slice(0, most).includes(app.log.level));
  app.addHook('onResponse', (request, reply, next) => {
    const { config, url } = request.routeOptions;
    const path = config.endpoint?.path ?? url?.replace(/:(\w+)/g, '{$1}');
    const route = path === undefined ? 'no route' : `${config.endpoint?.method ?? request.method} ${path}`;
    metrics.answered(request.method, path ?? 'no route', reply.statusCode, reply.elapsedTime / 1000);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const often = asksOften(request);
    if (!often) metrics.count('atelier_requests_total', reply.statusCode >= 500 ? 'failed' : 'answered');
    if (often ? isDebug : isLogged)
      request.log[often ? 'debug' : 'info'](
        {
          route,
          status: reply.statusCode,
          ...(reply.statusCode >= 400 ? whatWasRefused(request) : {}),
          ms,
          ...whoAsked(request, signer),
        },
        'answered',
      );
    next();
  });
}

/** Addresses are logged as keyed hashes: searchable but not readable. */
function whoAsked({ caller, ip, body }: FastifyRequest, signer: Signer) {
  const hash = (text: string) => signer.sign('log', text).slice(0, 16);
  const email = (body as { email?: unknown } | null | undefined)?.email;
  return {
    caller: callerId(caller),
    address: signer.hashAddress(ip), // the same hash as in the audit
    ...(typeof email === 'string' ? { email: hash(email.toLowerCase()) } : {}),
  };
}

/** Ids are all that a line has of a path: anything else there may be a secret. */
const whatWasRefused = ({ params, refusedWith }: FastifyRequest) => ({
  code: refusedWith,
  ids: Object.values(params as Record<string, string>).filter(isId),
});

function callerId(caller: CallerOf<Endpoint['auth']>): string | null {
  if (!caller) return null;
  if (caller.method === 'session') return showId('user', caller.userId);
  if (caller.method === 'review_link') return showId('rvl', caller.reviewLinkId);
  return showId(caller.method === 'api_key' ? 'key' : 'wkey', caller.keyId);
}
