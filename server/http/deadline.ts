import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { doWork, type Work } from './work.ts';
import { deadlines } from '../lib/deadlines.ts';
import { retrySoon } from './failure.ts';
import { badRequest, Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Milliseconds this route may take to answer. */
    answerWithin?: number;
  }
  interface FastifyRequest {
    /** Set by the deadline hook, which runs first. */
    work: Work;
  }
}

/**
 * A request past its deadline is answered 503, or 400 if the sender was slow, and has no effect afterwards.
 * Work that has begun to take effect gets a little more time, so that its caller learns the outcome.
 * Fastify's `handlerTimeout` is not used: it stops at the end of the body and creates an AbortController per
 * request.
 */
export function keepDeadline(app: FastifyInstance, answerWithin: number): void {
  app.decorateRequest('work', null as unknown as Work);
  app.addHook('onRequest', (request, reply, next) => {
    request.work = { refused: false, takesEffect: false };
    const milliseconds = request.routeOptions.config.answerWithin ?? answerWithin;
    const stop = () => clearTimeout(timer);
    const answer = (mayWait: boolean) => {
      if (mayWait && request.work.takesEffect && !reply.sent)
        timer = setTimeout(answer, deadlines.request.effect, false);
      else answerLate(request, reply, stop);
    };
    let timer = setTimeout(answer, milliseconds, true);
    reply.raw.on('close', stop);
    next();
  });
  app.addHook('onRoute', (route) => {
    route.handler = keepQuietWhenRefused(route.handler);
  });
}

function answerLate(request: FastifyRequest, reply: FastifyReply, stop: () => void): void {
  const { raw, work, log, routeOptions } = request;
  reply.raw.off('close', stop); // an event stream stays open, so it drops its timer
  if (reply.sent) return;
  work.refused = true;
  log.warn({ route: `${request.method} ${routeOptions.url ?? ''}` }, 'no answer within the deadline');
  if (reply.raw.headersSent) reply.raw.destroy();
  else
    void reply.send(
      raw.complete ? new Refusal('service_unavailable', retrySoon) : badRequest('request', 'came too slowly'),
    );
}

/** The outcome after a refusal is neither an answer nor a fault. */
const keepQuietWhenRefused = (handler: RouteHandlerMethod): RouteHandlerMethod =>
  function (request, reply) {
    const { work } = request;
    const answer: unknown = doWork(work, () => handler.call(this, request, reply));
    if (!(answer instanceof Promise)) return answer;
    return answer.then(
      (body: unknown) => (work.refused ? undefined : body),
      (error: unknown) => {
        if (!work.refused) throw error;
      },
    );
  };
