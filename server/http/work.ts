import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { deadlines } from '../lib/deadlines.ts';
import { tracing } from '../lib/trace.ts';
import { retrySoon } from './failure.ts';
import { badRequest, Refusal } from './refusal.ts';

/** The work of one request. It is either refused at its deadline or takes effect, never both. */
export type Work = {
  /** The caller got a 503: no further statement starts and no transaction commits. */
  refused: boolean;
  /** Something is committed, or may be at any moment: the caller gets the outcome of the work. */
  takesEffect: boolean;
};

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

const current = new AsyncLocalStorage<Work | undefined>();

export const doWork = <Answer>(work: Work, run: () => Answer): Answer => current.run(work, run);

/** For statements that serve several requests: none decides about them, and each begins its own trace. */
export const doSharedWork = <Answer>(run: () => Answer): Answer =>
  tracing ? tracing.apart(() => current.run(undefined, run)) : current.run(undefined, run);

/** Whether the current request was refused at its deadline. */
export const isRefused = (): boolean => current.getStore()?.refused === true;

const late = () => new Refusal('service_unavailable', retrySoon);

/** Called before an expensive step: nobody waits for the work of a refused request. */
export function refuseLateWork(): void {
  if (isRefused()) throw late();
}

/** Called before work joins a statement shared with other requests: from here on it cannot be refused. */
export function beginToTakeEffect(): void {
  const work = current.getStore();
  refuseLateWork();
  if (work) work.takesEffect = true;
}

/** Connections with an open transaction. */
const inTransaction = new WeakSet<pg.Client>();

const writes = /^(?:insert|update|delete|with\b[^]*\b(?:insert\s+into|update|delete\s+from)\b)/i;

/** Why a statement must not be sent, or null. A commit, or a write outside a transaction, takes effect. */
export function refuseWork(client: pg.Client, text: string): Refusal | null {
  const work = current.getStore();
  if (work?.refused && text !== 'rollback') return late();
  const isOpen = inTransaction.has(client);
  if (text === 'begin' || text.startsWith('start transaction')) inTransaction.add(client);
  if (text === 'commit' || text === 'rollback') inTransaction.delete(client);
  if (work && (text === 'commit' || (!isOpen && writes.test(text.trimStart())))) work.takesEffect = true;
  return null;
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
