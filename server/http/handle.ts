import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import {
  type AnswerOf,
  type Body,
  bodyStatus,
  type Endpoint,
  type EventStream,
  type Lines,
  type Params,
  type Query,
} from '../../contract/endpoint.ts';
import { Closed } from '../../contract/shapes.ts';
import type { RateName } from '../../contract/rates.ts';
import type { Request } from './request.ts';
import type { CallerOf } from './caller.ts';
import { countedFor, countedForEmail } from './rate-subject.ts';
import type { RateLimiter } from './rate-limit.ts';
import { badBody } from './refusal.ts';
import type { Signer } from '../lib/signer.ts';
import { causeOf } from './cause.ts';
import type { Streams } from './event-stream.ts';
import { sendLines } from './json-lines.ts';
import { bodyReader, queryReader } from './validation.ts';

/** Decides who is asking and whether they may: credential, then scope, role and CSRF. Throws a refusal. */
export type Authorize = (endpoint: Endpoint, request: FastifyRequest) => Promise<CallerOf<Endpoint['auth']>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

const nothing = Closed({});

/** Milliseconds in which an endpoint that waits for something to happen answers. */
const longestWait = 30_000;

function readIdempotencyKey(endpoint: Endpoint, request: FastifyRequest): string | null {
  const given = request.headers['idempotency-key'];
  if (!endpoint.idempotent || given === undefined) return null;
  const copies = request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'idempotency-key');
  if (typeof given === 'string' && copies.length === 1 && /^[\x21-\x7e]{1,255}$/.test(given)) return given;
  const fault = { location: 'Idempotency-Key', message: 'must be given once, as 1 to 255 visible ASCII characters' };
  throw badBody([fault], endpoint.idempotent);
}

/** Parameters as they were read, so that two spellings of one path are one route. */
const routeOf = ({ method, path }: Endpoint, { params }: FastifyRequest): string =>
  `${method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => (params as Record<string, string>)[name] ?? '')}`;

/** Limits that are counted one after the other stand in one list, in that order. */
function appendHeaders(reply: FastifyReply, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers))
    reply.header(name, [reply.getHeader(name), value].filter(Boolean).join(', '));
}

const isLines = (body: unknown): body is Lines => typeof body === 'object' && body !== null && 'lines' in body;

type Parts = { rates: RateLimiter<RateName>; signer: Signer; streams: Streams };

/**
 * Makes a plain Fastify route of an endpoint and its verb, a function of the context and one request. The credential is
 * verified and the rate counted before the body is read; then body and parameters; then the verb answers with a status
 * that the endpoint has, or throws a refusal.
 */
export const handler =
  <Context extends Parts>(app: FastifyInstance, authorize: Authorize, context: Context) =>
  <const E extends Endpoint>(
    endpoint: E,
    verb: (context: Context, request: Request<E>) => Promise<AnswerOf<E>> | AnswerOf<E>,
  ): void => {
    const { rates, signer, streams } = context;
    const readBody = bodyReader<TObject>(endpoint.body ?? nothing, bodyStatus(endpoint));
    const readQuery = endpoint.query && queryReader<TObject>(endpoint.query);
    // Known once per route, so that hot paths do not ask a limiter that has nothing to count.
    const byEmail = endpoint.rate && rates.policy[endpoint.rate].email;

    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { endpoint },
      // Sign-in and its like carry a few words, and anybody may send them.
      ...(endpoint.path.startsWith('/api/auth/') ? { bodyLimit: 16 * 1024 } : {}),
      ...(endpoint.long ? { handlerTimeout: longestWait } : {}),
      onRequest: async (request, reply) => {
        request.caller = await authorize(endpoint, request);
        if (endpoint.rate)
          appendHeaders(reply, await rates.spend(endpoint.rate, countedFor(request.caller, request.ip)));
      },
      handler: async (request, reply) => {
        const body = endpoint.method === 'GET' ? undefined : readBody(request.body);
        if (endpoint.rate && byEmail) {
          const before = countedFor(request.caller, request.ip);
          appendHeaders(reply, await rates.spend(endpoint.rate, countedForEmail(body, request.ip), before));
        }
        const caller = request.caller as CallerOf<E['auth']>;
        const addressHash = signer.sign('address', request.ip);
        const answer = await verb(context, {
          caller,
          params: request.params as Params<E>,
          query: readQuery?.(request.query as Record<string, string | string[]>) as Query<E>,
          body: (endpoint.body ? body : undefined) as Body<E>,
          route: routeOf(endpoint, request),
          headers: request.headers,
          requestId: request.id,
          cause: causeOf(endpoint.auth, { caller, requestId: request.id, addressHash }),
          ip: request.ip,
          idempotencyKey: readIdempotencyKey(endpoint, request),
        });
        if (endpoint.answers[answer.status]?.stream)
          return streams.open(reply, caller as CallerOf<'caller' | 'desk'>, answer.body as EventStream);
        if (isLines(answer.body))
          return sendLines(reply.headers(answer.headers ?? {}), answer.body, (error) =>
            request.log.warn({ err: error }, 'lines broke off'),
          );
        return reply
          .code(answer.status)
          .headers(answer.headers ?? {})
          .send(answer.body);
      },
    });
  };
