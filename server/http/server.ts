import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { type IncomingMessage, maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bodyStatus, type Endpoint } from '../../contract/endpoint.ts';
import { asRefusal } from './failure.ts';
import type { CallerOf } from './request.ts';
import { readJsonOnly } from './read-json.ts';
import { deadlines } from '../lib/deadlines.ts';
import { newRequestId } from '../lib/id.ts';
import { requestLog } from '../lib/log.ts';
import type { Signer } from '../lib/signer.ts';
import type { Metrics } from '../lib/metrics.ts';
import { keepDeadline } from './work.ts';
import { asksOften, logAnswers, probes } from './log-answers.ts';
import { maxConnections } from './max-connections.ts';
import { answerNoPage, asksForPage } from './no-page.ts';
import { isPublic } from './credential-form.ts';
import { badRequest, Refusal } from './refusal.ts';
import { isForAnyOrigin, securityHeaders } from './security-headers.ts';
import { traceRequests } from './trace-requests.ts';

/** Largest JSON body in bytes. No request of the contract needs more. */
const largestBody = 512 * 1024;

/** The longest request in milliseconds. Only uploads, which have their own deadline, may take this long. */
const uploadWithin = 310_000;

/** The caller's request id if it is safe in headers and logs, otherwise a new one. */
const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(header) && isPublic(header) ? header : newRequestId();

/** Programs send the absolute form to proxies. Servers take it too, and its host counts (RFC 9112, 3.2.2). */
function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '';
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\//i, '');
  const end = rest.search(/[/?#]|$/);
  const host = rest.slice(0, end);
  if (rest === target || host === '' || host.includes('@')) return target;
  request.headers.host = host;
  return rest[end] === '/' ? rest.slice(end) : `/${rest.slice(end)}`;
}

/** What rendering a failure takes. */
type Failures = { metrics: Metrics; publicUrl: string };

/** Milliseconds and bytes for which the rest of a refused request is read and dropped. */
const [longestRest, largestRest] = [2_000, 16 * 1024 ** 2];

/** The answer does not wait for the rest. But a caller who still sends would lose it with the connection. */
function closeAfter(reply: FastifyReply): void {
  const { raw } = reply.header('connection', 'close').request;
  const { socket } = raw;
  let dropped = 0;
  raw.on('data', ({ length }: Buffer) => (dropped += length) > largestRest && socket.destroy());
  // Node calls this after the answer.
  socket.destroySoon = () => {
    socket.end();
    const late = setTimeout(() => socket.destroy(), longestRest);
    socket.once('close', () => clearTimeout(late));
  };
}

function send(reply: FastifyReply, refusal: Refusal, { metrics, publicUrl }: Failures) {
  metrics.refused(refusal.code);
  reply.request.refusedWith = refusal.code;
  if (refusal.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
  if (!reply.request.raw.complete) closeAfter(reply);
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .header('x-request-id', reply.request.id)
    .headers(refusal.headers)
    .send(refusal.body(reply.request.id, publicUrl));
}

/** The only place that renders failures. Faults are logged whole and shown as a request id. */
const answerFailure = (failures: Failures) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const { endpoint } = request.routeOptions.config;
  const refusal = asRefusal(error, endpoint && bodyStatus(endpoint)) ?? new Refusal('internal_error');
  if (refusal.status === 500) request.log.error({ err: error }, refusal.code);
  const isExpected = request.work?.refused || asksOften(request); // whose reason is logged elsewhere, once
  if (refusal.status === 503 && !isExpected) request.log.warn({ err: error }, refusal.code);
  return send(reply, refusal, failures);
};

const pathWithoutQuery = ({ url }: FastifyRequest): string => url.split('?')[0] ?? '';

/**
 * Fastify answers 404 to a known path with another method. This makes it a 405 that lists the methods. A path
 * with a slash too many is redirected to the path without it. `isTaken`: the router matched an id, but the
 * path is another route, or the id is empty.
 */
function answerNoRoute(app: FastifyInstance, failures: Failures) {
  const routes: { methods: string[]; url: string; pattern: RegExp }[] = [];
  const exact = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replaceAll('*', '.*');
    routes.push({ methods: [method].flat(), url, pattern: new RegExp(`^${pattern}$`) });
    if (!/[:*]/.test(url)) exact.add(url);
  });
  const isTaken = (request: FastifyRequest) => {
    const path = pathWithoutQuery(request);
    return /:[^*]*$/.test(request.routeOptions.url ?? '') && (exact.has(path) || path.endsWith('/'));
  };
  const reachedBy = (path: string) =>
    routes.filter(({ url, pattern }) => (exact.has(path) ? url === path : pattern.test(path)));
  const noRoute = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathWithoutQuery(request);
    const methods = reachedBy(path).flatMap((route) => route.methods);
    const shorter = path.replace(/\/$/, '');
    // The path of a route begins with one slash, so it leads to no other host.
    if (methods.length === 0 && shorter !== path && reachedBy(shorter).length > 0)
      return reply.redirect(shorter + request.url.slice(path.length), 308);
    if (methods.length === 0 && asksForPage(request)) return answerNoPage(reply, failures.metrics);
    if (methods.length === 0) return send(reply, new Refusal('not_found'), failures);
    const headers = { allow: [...new Set(methods)].join(', ') };
    return send(reply, new Refusal('method_not_allowed', { headers }), failures);
  };
  return { noRoute, isTaken };
}

/** The error envelope as raw bytes; the connection closes afterwards. */
function lastAnswer(refusal: Refusal, requestId: string, publicUrl: string): string {
  const body = JSON.stringify(refusal.body(requestId, publicUrl));
  const headerLines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${headerLines.join('\r\n')}\r\n\r\n${body}`;
}

const smallerHeaders = `Send at most ${maxHeaderSize / 1024} KiB of headers, the first line included.`;

/** Answers requests that never reach a route because they are not HTTP or arrive too slowly. */
const answerBrokenRequest = (publicUrl: string) => (error: Error & { code?: string }, socket: Socket) => {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
  // Browsers open connections ahead. Answering an unused one would be taken as the answer to the next
  // request.
  if (socket.bytesRead === 0) return socket.destroy();
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Refusal('invalid_request', { status: 431, message: 'The headers are too large.', action: smallerHeaders })
      : badRequest('request', late ? 'came too slowly' : 'is not valid HTTP');
  return socket.end(lastAnswer(refusal, newRequestId(), publicUrl));
};

/** CONNECT is for proxies. Node hands over the bare socket and no longer watches it. */
const answerConnect =
  (publicUrl: string) =>
  ({ headers }: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    const answer = lastAnswer(new Refusal('not_found'), requestIdOf(headers['x-request-id']), publicUrl);
    socket.end(answer, () => socket.destroy());
  };

/** Node's own check accepts several Host headers. HTTP/1.0 has none: some load balancers use it. */
function refuseUnlessOneHost({ raw, routeOptions }: FastifyRequest, reply: FastifyReply): void {
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name));
  if (hosts.length === 1 && raw.headers.host) return;
  if (hosts.length === 0 && raw.httpVersion === '1.0' && probes.has(routeOptions.url)) return;
  reply.header('connection', 'close');
  throw badRequest('host', 'is required, once');
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the credential is verified. */
    caller: CallerOf<Endpoint['auth']>;
  }
}

/** Fastify with stricter settings than its defaults. Every failure is answered with the error envelope. */
export async function createHttp(
  log: FastifyBaseLogger,
  metrics: Metrics,
  publicUrl: string,
  trustProxy: string[],
  signer: Signer,
  answerWithin: number = deadlines.request.answer,
): Promise<FastifyInstance> {
  const failures = { metrics, publicUrl };
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent, { reqId }) => requestLog(parent, String(reqId)),
    bodyLimit: largestBody,
    rewriteUrl: pathOf,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    frameworkErrors: (error, request, reply) => void answerFailure(failures)(error, request, reply),
    clientErrorHandler: answerBrokenRequest(publicUrl),
    requestTimeout: uploadWithin,
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    keepAliveTimeout: 30_000,
    maxRequestsPerSocket: 10_000,
    return503OnClosing: false,
    // An id as long as a URL names nothing: a 404.
    routerOptions: { maxParamLength: 16 * 1024 },
  });
  app.server.maxConnections = maxConnections(log);
  // Otherwise Node answers an unknown expectation with an empty 417.
  app.server.on('checkExpectation', app.routing);
  app.server.on('connect', answerConnect(publicUrl));
  app.setErrorHandler(answerFailure(failures));
  app.decorateRequest('caller', null);
  const { noRoute, isTaken } = answerNoRoute(app, failures);
  app.setNotFoundHandler(noRoute);
  // What comes after the last answer of a connection is not run: its caller would hear nothing of it.
  app.addHook('onRequest', ({ raw: { socket } }, reply, next) => {
    if (socket.writableEnded) reply.hijack();
    else next();
  });
  readJsonOnly(app);
  traceRequests(app);
  keepDeadline(app, answerWithin);
  const headers = { ...securityHeaders(), 'cache-control': 'no-store' };
  const forAnyOrigin = new Set<string | undefined>();
  app.addHook('onRoute', ({ url }) => {
    if (isForAnyOrigin(url)) forAnyOrigin.add(url);
  });
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (forAnyOrigin.has(request.routeOptions.url)) reply.header('access-control-allow-origin', '*');
    if (!request.raw.url?.startsWith('/')) throw new Refusal('not_found');
    refuseUnlessOneHost(request, reply);
    // Before the body is read: without a route, faults of the body do not matter.
    if (request.is404 || isTaken(request)) noRoute(request, reply);
    else next();
  });
  logAnswers(app, metrics, signer);
  return app;
}
