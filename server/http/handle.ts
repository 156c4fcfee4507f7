import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { deprecationHeaders } from '../../contract/deprecation.ts';
import type { Auth, Endpoint, EventStream, Lines } from '../../contract/endpoint.ts';
import type { RateName } from '../../contract/rates.ts';
import type { CallerOf } from './request.ts';
import { countedFor, countedForEmail, credentialOf, type RateLimiter } from './rate-limit.ts';
import type { Streams } from './event-stream.ts';
import {
  type Answer,
  createOperation,
  type Operation,
  type Operations,
  type Sent,
  type Source,
  type Verb,
} from './invoke.ts';
import { endsNever, type Waits } from './waits.ts';
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Checks credential, scope, role and CSRF. Throws a refusal. */
export type Authorize = (endpoint: Endpoint, request: FastifyRequest) => Promise<CallerOf<Auth>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/** The longest wait, in milliseconds, of an endpoint that waits for something to happen. */
export const longestWait = 30_000;

const valuesOf = ({ raw: { rawHeaders } }: FastifyRequest, header: string): string[] =>
  rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === header);

const sentBy = (endpoint: Endpoint, request: FastifyRequest, ended: AbortSignal): Sent => ({
  params: request.params as Record<string, string>,
  query: request.query as Record<string, string | string[]>,
  body: request.body,
  idempotencyKey: {
    location: 'Idempotency-Key',
    values: endpoint.idempotent ? valuesOf(request, 'idempotency-key') : [],
  },
  headers: request.headers,
  requestId: request.id,
  ip: request.ip,
  ended,
});

/** Joins repeated rate limit headers into one list, in the order of the limits. */
function appendHeaders(reply: FastifyReply, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers))
    reply.header(name, [reply.getHeader(name), value].filter(Boolean).join(', '));
}

const isLines = (body: unknown): body is Lines => typeof body === 'object' && body !== null && 'lines' in body;

/** The bytes of frozen bodies, which never change and so are serialized once. */
const frozenBytes = new WeakMap<object, Buffer>();

function sendAnswer(reply: FastifyReply, { status, headers = {}, body }: Answer) {
  reply.code(status).headers(headers);
  if (typeof body !== 'object' || body === null || !Object.isFrozen(body)) return reply.send(body);
  const bytes = frozenBytes.get(body) ?? Buffer.from(JSON.stringify(body));
  frozenBytes.set(body, bytes);
  return reply.type('application/json; charset=utf-8').send(bytes);
}

/** An endpoint with its verb. A room lists its own routes; each verb names what it takes from the context. */
export type Route<Context> = { endpoint: Endpoint; operationOn: (source: Source<Context>) => Operation };

export const route = <Context, const E extends Endpoint>(verb: Verb<Context, E>, endpoint: E): Route<Context> => ({
  endpoint,
  operationOn: (source) => createOperation(source, endpoint, verb),
});

type Doors = { rates: RateLimiter<RateName>; streams: Streams; waits: Waits };

/** Order: verify the credential, count the rate, read body and parameters, run the verb. */
export function serveRoutes<Context>(
  app: FastifyInstance,
  authorize: Authorize,
  source: Source<Context> & Doors,
  routes: readonly Route<Context>[],
): Operations {
  const operations = routes.map(({ operationOn }) => operationOn(source));
  for (const operation of operations) serveOperation(app, authorize, source, operation);
  return new Map(operations.map((operation) => [operation.endpoint.operationId, operation]));
}

/** Refuses a request beyond `atOnce` of its endpoint. */
export async function invokeAtOnce(
  rates: RateLimiter<RateName>,
  { endpoint, invoke }: Operation,
  caller: CallerOf<Auth>,
  input: Parameters<Operation['invoke']>[1],
): Promise<Answer> {
  if (endpoint.atOnce === undefined || caller === null) return invoke(caller, input);
  const end = rates.inFlight.begin(`${endpoint.operationId} ${credentialOf(caller)}`, endpoint.atOnce);
  try {
    return await invoke(caller, input);
  } finally {
    end();
  }
}

function serveOperation(app: FastifyInstance, authorize: Authorize, doors: Doors, operation: Operation): void {
  const { rates, streams, waits } = doors;
  const { endpoint } = operation;
  // Decided once per route, so that hot paths skip limiters that would count nothing.
  const notice = endpoint.deprecated && deprecationHeaders(endpoint.deprecated);
  const byEmail = endpoint.rate && rates.policy[endpoint.rate].email;

  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { endpoint, ...(endpoint.long ? { answerWithin: longestWait } : {}) },
    ...(endpoint.largestBody ? { bodyLimit: endpoint.largestBody } : {}),
    // Sign-in routes take a few words, and anybody may call them.
    ...(endpoint.path.startsWith('/api/auth/') ? { bodyLimit: 16 * 1024 } : {}),
    onRequest: async (request, reply) => {
      if (notice) reply.headers(notice);
      request.caller = await authorize(endpoint, request);
      const credential = endpoint.atOnce === undefined && request.caller ? credentialOf(request.caller) : null;
      if (credential !== null) rates.refuseBeyondNet(credential);
      if (endpoint.rate) appendHeaders(reply, await rates.spend(endpoint.rate, countedFor(request.caller, request.ip)));
      if (credential !== null) appendHeaders(reply, rates.countInNet(credential));
    },
    handler: async (request, reply) => {
      const caller = request.caller as CallerOf<'caller' | 'desk'>;
      const wait = endpoint.long ? waits.begin(caller, reply.raw) : null;
      const input = operation.read(sentBy(endpoint, request, wait?.ended ?? endsNever));
      if (endpoint.rate && byEmail) {
        const before = countedFor(request.caller, request.ip);
        appendHeaders(reply, await rates.spend(endpoint.rate, countedForEmail(input.body, request.ip), before));
      }
      const answer = await invokeAtOnce(rates, operation, request.caller, input);
      wait?.finish();
      if (request.work.refused) return undefined;
      if (endpoint.answers[answer.status]?.stream) return streams.open(reply, caller, answer.body as EventStream);
      if (isLines(answer.body))
        return sendLines(reply.headers(answer.headers ?? {}), answer.body, (error) =>
          request.log.warn({ err: error }, 'the stream of lines was cut off'),
        );
      return sendAnswer(reply, answer);
    },
  });
}

/** No time limit. A failure cuts the connection, so that the reader notices. */
async function sendLines(reply: FastifyReply, { lines }: Lines, onFailure: (error: unknown) => void) {
  reply.hijack(); // otherwise the request deadline would cut it
  const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': 'application/x-ndjson' };
  reply.raw.writeHead(200, headers);
  await pipeline(Readable.from(asText(lines)), reply.raw).catch(onFailure);
}

async function* asText(lines: AsyncIterable<object>) {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
