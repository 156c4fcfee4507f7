import type { FastifyInstance } from 'fastify';
import type { RequestSpan } from '../lib/open-telemetry.ts';
import { tracing } from '../lib/trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | null;
  }
}

/** A span for each request, from its first hook until it is answered. Of no effect without tracing. */
export function traceRequests(app: FastifyInstance): void {
  const spans = tracing;
  if (!spans) return;
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, next) => {
    const { traceparent } = request.headers;
    request.span = spans.request(typeof traceparent === 'string' ? traceparent : undefined);
    request.span.within(next);
  });
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    // A body that was read on the way ends what the hook began.
    route.handler = function (request, reply) {
      const serve = (): unknown => handler.call(this, request, reply);
      return request.span ? request.span.within(serve) : serve();
    };
  });
  app.addHook('onResponse', (request, reply, next) => {
    const { config, url = 'no route' } = request.routeOptions;
    request.span?.end(`${request.method} ${config.endpoint?.path ?? url}`, {
      'http.request.method': request.method,
      'http.route': config.endpoint?.path ?? url,
      'http.response.status_code': reply.statusCode,
      'atelier.request_id': request.id,
      ...(config.endpoint ? { 'atelier.operation': config.endpoint.operationId } : {}),
    });
    next();
  });
}
