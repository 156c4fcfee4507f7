import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { retrySoon } from './failure.ts';
import { badRequest, Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Milliseconds that an answer of this route may take. */
    answerWithin?: number;
  }
}

/** Milliseconds from the first line of a request to its answer, its body included, where a route has no time of its own. */
const answerWithin = 5_000;

/**
 * What takes longer is answered 503, or 400 to a slow sender. Not Fastify's `handlerTimeout`, which ends with the body of a
 * request, and makes an AbortController for each.
 */
export function keepDeadline(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    const milliseconds = request.routeOptions.config.answerWithin ?? answerWithin;
    const stop = () => clearTimeout(timer);
    const timer = setTimeout(answerLate, milliseconds, request, reply, stop);
    reply.raw.on('close', stop);
    next();
  });
}

function answerLate({ raw }: FastifyRequest, reply: FastifyReply, stop: () => void): void {
  reply.raw.off('close', stop); // an event stream, which stays open, lets go of its timer
  if (reply.sent) return;
  if (reply.raw.headersSent) reply.raw.destroy();
  else
    void reply.send(
      raw.complete ? new Refusal('service_unavailable', retrySoon) : badRequest('request', 'came too slowly'),
    );
}
