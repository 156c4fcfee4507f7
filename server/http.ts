import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyBodyParser,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import helmet from '@fastify/helmet';
import type { Socket } from 'node:net';
import { bodyStatus } from '../contract/endpoint.ts';
import { endpoints } from '../contract/openapi.ts';
import { asRefusal } from './kit/failure.ts';
import { repeatedName } from './kit/json.ts';
import { newRequestId } from './kit/id.ts';
import type { Metrics } from './kit/metrics.ts';
import { badBody, badRequest, Refusal } from './kit/refusal.ts';

const mebibyte = 1024 * 1024;

/** Milliseconds from the first line of a request to its answer, its body included; later it is a 503, or a 400 to a slow sender. */
const answerWithin = 5_000;

/** The whole of a request at most, in milliseconds. Only file uploads, which have a time of their own, take this long. */
const uploadWithin = 310_000;

/** A caller's own id when it is harmless in headers and logs, else one of ours. */
const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newRequestId();

function send(reply: FastifyReply, refusal: Refusal, metrics: Metrics) {
  metrics.refused(refusal.code);
  if (refusal.code === 'unauthenticated') reply.header('www-authenticate', 'Bearer');
  // What is still being sent is not waited for.
  if (!reply.request.raw.complete) reply.header('connection', 'close');
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .header('x-request-id', reply.request.id)
    .headers(refusal.headers)
    .send(refusal.body(reply.request.id));
}

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_HANDLER_TIMEOUT';

/** The one place that renders a failure. What is not a refusal is our fault: logged whole, shown as a request id only. */
const answerFailure = (metrics: Metrics) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const { line } = request.routeOptions.config;
  const late = isTimeout(error) && !request.raw.complete;
  const refusal = late
    ? badRequest('request', 'came too slowly')
    : (asRefusal(error, line && bodyStatus(line)) ?? new Refusal('internal_error'));
  if (refusal.status === 500) request.log.error({ err: error }, refusal.code);
  if (refusal.status === 503) request.log.warn({ err: error }, refusal.code);
  return send(reply, refusal, metrics);
};

const patterns = endpoints.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** Fastify answers 404 for a known path with another method; that is a 405, with what the path has. */
const answerNoRoute = (metrics: Metrics) => (request: FastifyRequest, reply: FastifyReply) => {
  const path = request.url.split('?')[0] ?? '';
  const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  if (methods.length === 0) return send(reply, new Refusal('not_found'), metrics);
  const allow = [...new Set(methods)].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return send(reply, new Refusal('method_not_allowed', { headers: { allow } }), metrics);
};

/** Requests that never reach a route because they are not HTTP, or come too slowly. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket) {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
  const requestId = newRequestId();
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal = badRequest('request', late ? 'came too slowly' : 'is not valid HTTP');
  const body = JSON.stringify(refusal.body(requestId));
  return socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const isNothing = (bytes: Buffer) => ['', '{}'].includes(bytes.toString('latin1').trim());

/** JSON only, strictly UTF-8, with an empty body as no body. Prototype keys and repeated names are refused, not resolved. */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const readJson: FastifyBodyParser<Buffer> = (request, bytes, done) => {
    const { line } = request.routeOptions.config;
    const refuse = (message: string) => done(badBody([{ location: '', message }], line && bodyStatus(line)));
    if (bytes.length === 0) return done(null);
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return refuse('is not valid UTF-8');
    }
    return parse(request, text, (error, body) => {
      if (error) return done(error);
      const name = repeatedName(text);
      return name === null ? done(null, body) : refuse(`repeats the field ${JSON.stringify(name.slice(0, 100))}`);
    });
  };
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  // A route without a body takes none, or `{}`, under any type: curl and browsers name one for what they send by themselves.
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    const { line } = request.routeOptions.config;
    const untyped = request.headers['content-type'] === undefined;
    if (line && !line.body && (untyped || isNothing(bytes))) return readJson(request, bytes, done);
    return done(new Refusal('unsupported_media_type'));
  });
}

/** A Fastify that is strict where its defaults are not, and that answers every failure with our envelope. */
export async function openHttp(
  log: FastifyBaseLogger,
  metrics: Metrics,
  trustProxy: string[],
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: mebibyte,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    frameworkErrors: (error, request, reply) => void answerFailure(metrics)(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
    handlerTimeout: answerWithin,
    requestTimeout: uploadWithin,
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    keepAliveTimeout: 30_000,
    maxRequestsPerSocket: 10_000,
    return503OnClosing: false,
    // An id may be as long as a URL can be: it names nothing then, which is a 404.
    routerOptions: { maxParamLength: 16 * 1024 },
  });
  app.server.maxConnections = 10_000;
  // Node would answer an unknown expectation by itself, with an empty 417.
  app.server.on('checkExpectation', app.routing);
  app.setErrorHandler(answerFailure(metrics));
  const noRoute = answerNoRoute(metrics);
  app.setNotFoundHandler(noRoute);
  readJsonOnly(app);
  await app.register(helmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    // The form for proxies, which we are not.
    if (!request.raw.url?.startsWith('/')) throw new Refusal('not_found');
    // Checked here and not by Node, whose answer has no body.
    if (!request.raw.headers.host) throw badRequest('host', 'is required');
    // Here, before the body is read: what is wrong with it does not matter where there is no route.
    return request.is404 ? noRoute(request, reply) : undefined;
  });
  app.addHook('onResponse', async (request, reply) => {
    const { line } = request.routeOptions.config;
    const route = line ? `${line.method} ${line.path}` : 'no route';
    metrics.answered(request.method, line?.path ?? 'no route', reply.statusCode, reply.elapsedTime / 1000);
    request.log.info({ route, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 }, 'answered');
  });
  return app;
}
