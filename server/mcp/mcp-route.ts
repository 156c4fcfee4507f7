import type { McpServerFactory, ServerEventBus } from '@modelcontextprotocol/server';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptionsWithHandler,
} from 'fastify';
import { type Endpoint, type EventStream, scopeOf } from '../../contract/endpoint.ts';
import type { RateName } from '../../contract/rates.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import type { Hub } from '../events/hub.ts';
import { type ReadLog, logBounds } from '../events/event.ts';
import type { Streams } from '../http/event-stream.ts';
import { endsNever, type Waits } from '../http/waits.ts';
import { isLoopback } from '../lib/loopback.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type Caller, isReviewer } from '../http/request.ts';
import { type Authorize, longestWait } from '../http/handle.ts';
import { asRefusal } from '../http/failure.ts';
import { credentialOf, type RateLimiter } from '../http/rate-limit.ts';
import { Refusal } from '../http/refusal.ts';
import { lacksScope } from '../access/challenge.ts';
import { mcpPath } from '../../contract/developer/oauth.ts';
import { formsOf, jsonOf, plainAnswer, readPlainCall, streamOf } from './plain-call.ts';
import { isObject } from './protocol.ts';
import { wrapped } from './read-arguments.ts';
import type { Offer } from './offer.ts';
import { createEventBus } from './subscriptions.ts';
import { toolEndpoints } from './tools.ts';

/** What a caller needs before messages are read; each tool checks its own scope. */
const door: Endpoint = {
  operationId: 'mcp',
  method: 'POST',
  path: mcpPath,
  tag: 'MCP',
  summary: 'Speak the Model Context Protocol',
  auth: 'caller',
  reviewers: true,
  scope: 'api:read',
  long: true,
  answers: {},
  errors: {},
};

type Dependencies = {
  catalog: Pick<Catalog, 'studio'>;
  db: Db;
  hub: Hub;
  log: FastifyBaseLogger;
  metrics: Metrics;
  publicUrl: string;
  rates: RateLimiter<RateName>;
  readLog: ReadLog;
  streams: Streams;
  waits: Waits;
};
type RouteDependencies = Dependencies & { offer: Offer };

/** Streamable HTTP without sessions, in both versions of the protocol. */
export const mcpRoute = (context: Dependencies, authorize: Authorize, offer: Offer) => async (app: FastifyInstance) => {
  const dependencies: RouteDependencies = { ...context, offer };
  const own = new URL(context.publicUrl);
  // Not a redirect: many clients do not follow one of a POST, or lose its body.
  const serve = (options: RouteShorthandOptionsWithHandler) =>
    [mcpPath, `${mcpPath}/`].forEach((path) => app.post(path, options));
  serve({
    config: { answerWithin: longestWait },
    onRequest: async (request, reply) => {
      refuseForeign(own, request);
      delete request.raw.headers.cookie; // an agent must not act with a browser's session
      const caller = (await authorize(door, request)) as Caller;
      request.caller = caller;
      const credential = credentialOf(caller);
      context.rates.refuseBeyondNet(credential);
      reply.headers(context.rates.countInNet(credential));
    },
    handler: async (request, reply) => {
      stepUp(context.publicUrl, request.caller as Caller, request.body);
      return isSubscription(request.body)
        ? subscribe(dependencies, request, reply)
        : answer(dependencies, request, reply);
    },
    errorHandler: answerUnreadable(dependencies),
  });
};

/** Asks an app for more by its protocol: its host then asks the person. Keys get the error of the tool. */
function stepUp(publicUrl: string, caller: Caller, body: unknown): void {
  if (caller.method !== 'api_key' || caller.app === null || isReviewer(caller)) return;
  if (!isObject(body) || body['method'] !== 'tools/call') return;
  const { params } = body;
  const endpoint =
    isObject(params) && typeof params['name'] === 'string' ? toolEndpoints.get(params['name']) : undefined;
  if (!endpoint || endpoint.auth !== 'caller' || caller.scopes.includes(scopeOf(endpoint))) return;
  throw lacksScope(publicUrl, door, scopeOf(endpoint));
}

/** Refuses pages of other sites and rebound host names: they must not use the key of a local program. */
function refuseForeign(own: URL, { headers: { origin }, hostname }: FastifyRequest): void {
  const isOwn = (name: string) => name === own.hostname || (isLoopback(name) && isLoopback(own.hostname));
  const from = origin === undefined || (URL.canParse(origin) ? new URL(origin).hostname : '');
  if (isOwn(hostname) && (from === true || isOwn(from))) return;
  throw new Refusal('csrf_token_invalid', {
    message: 'The request comes from another origin, or names another host.',
    action: `Connect to ${own.origin}${mcpPath} from a program; pages of other sites are refused.`,
  });
}

const answerUnreadable =
  ({ metrics }: RouteDependencies) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = asRefusal(error);
    if (refusal?.code !== 'invalid_request' || request.caller === null) throw error;
    metrics.refused(refusal.code);
    request.refusedWith = refusal.code;
    const { message } = refusal;
    reply.code(400).send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: `Parse error: ${message}` } });
  };

const eventStream = 'text/event-stream';

/** The SDK answers only those who take both forms. */
const everyForm = `application/json, ${eventStream}`;

/** The SDK refuses arguments that are no object, with words that tell a model nothing. */
function withArguments(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(withArguments);
  if (!isObject(message) || message['method'] !== 'tools/call' || !isObject(message['params'])) return message;
  const { arguments: args, ...params } = message['params'];
  return args === undefined ? message : { ...message, params: { ...params, arguments: wrapped(args) } };
}

const isSubscription = (body: unknown) => isObject(body) && body['method'] === 'subscriptions/listen';

const unused: ServerEventBus = { publish() {}, subscribe: () => () => {} };

async function answer(dependencies: RouteDependencies, request: FastifyRequest, reply: FastifyReply) {
  const caller = request.caller as Caller;
  const plain = readPlainCall(request.headers, request.body);
  const endpoint = (plain && toolEndpoints.get(plain.name)) ?? door;
  const wait = endpoint.long ? dependencies.waits.begin(caller, reply.raw) : null;
  const from = { caller, requestId: request.id, ip: request.ip, ended: wait?.ended ?? endsNever };
  const toolAnswer = await (plain && dependencies.offer.call(from, plain.name, plain.args));
  const forms = formsOf(request.headers.accept);
  if (plain && toolAnswer) {
    wait?.finish();
    const message = plainAnswer(plain, toolAnswer, dependencies.catalog.studio.name);
    if (forms.json) return reply.type('application/json').send(message);
    return reply.type(eventStream).send(streamOf(message));
  }
  const response = await exchange(dependencies, request, { bus: unused, ended: wait?.ended ?? endsNever });
  const text = await response.text(); // the SDK streams it in small pieces
  wait?.finish();
  const type = response.headers.get('content-type');
  if (type !== null) reply.type(type);
  reply.code(response.status);
  if (forms.stream || !type?.startsWith(eventStream)) return reply.send(text);
  return reply.type('application/json').send(jsonOf(text));
}

/** Subscriptions share the limits of event streams and end with the authority that opened them. */
async function subscribe(dependencies: RouteDependencies, request: FastifyRequest, reply: FastifyReply) {
  const caller = request.caller as Caller;
  const ended = new AbortController();
  // Before the subscription is confirmed, so that nothing later is missed.
  const { latest: after } = await logBounds(dependencies.db, caller.accountId);
  const bus = createEventBus(dependencies, { accountId: caller.accountId, after }, ended.signal);
  const response = await exchange(dependencies, request, { bus, ended: ended.signal, signal: ended.signal });
  if (!response.body || !response.headers.get('content-type')?.startsWith(eventStream))
    return reply
      .code(response.status)
      .type('application/json')
      .send(await response.text());
  try {
    return dependencies.streams.open(reply, caller, entriesOf(response.body, ended));
  } catch (error) {
    ended.abort();
    throw error;
  }
}

const entriesOf =
  (body: ReadableStream<Uint8Array>, ended: AbortController): EventStream =>
  (stream) => {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    return {
      async *read() {
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          const [, data] = /^event: message\ndata: (.+)\n\n$/.exec(decoder.decode(read.value)) ?? [];
          if (data !== undefined) yield { event: 'message', data: JSON.parse(data) as unknown };
        }
        stream.end();
      },
      close() {
        ended.abort();
        void reader.cancel();
      },
    };
  };

async function exchange(
  { offer, publicUrl, log }: RouteDependencies,
  { raw, headers, url, body, caller, id, ip }: FastifyRequest,
  { bus, ended, signal }: { bus: ServerEventBus; ended: AbortSignal; signal?: AbortSignal },
): Promise<Response> {
  const from = { caller: caller as Caller, requestId: id, ip, ended };
  const withOutput = new URL(url, publicUrl).searchParams.get('output') === '1';
  const factory: McpServerFactory = ({ era }) => offer.serverOf({ from, withOutput, isModern: era === 'modern' });
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const mcp = createMcpHandler(factory, { bus, keepAliveMs: 0, onerror: (error) => log.debug({ err: error }) });
  const named = Object.entries(headers).filter(([name]) => /^(content-type|mcp-.+)$/.test(name));
  const request = new Request(new URL(url, publicUrl), {
    method: raw.method ?? 'POST',
    headers: [...(named as [string, string][]), ['accept', everyForm]],
    ...(signal ? { signal } : {}),
  });
  return mcp.fetch(request, { parsedBody: withArguments(body) });
}
