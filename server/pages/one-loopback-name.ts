import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { asksForPage, isOfPrograms } from '../http/no-page.ts';
import { isOtherName } from '../lib/loopback.ts';
import { isForwarded } from './sandbox-mail.ts';

/**
 * Sends a browser that opens a page under another name of this machine to the same page of `publicUrl`:
 * cookies and the check of origins know one name. A proxy would send the browser here again.
 */
export function redirectToOneLoopbackName(app: FastifyInstance, publicUrl: string): void {
  const redirect: onRequestHookHandler = (request, reply, next) => {
    const goesOn = asksForPage(request) && isOtherName(publicUrl, request.headers.host) && !isForwarded(request);
    if (goesOn) void reply.redirect(publicUrl + request.url, 307);
    else next();
  };
  app.addHook('onRoute', (route) => {
    if (!isOfPrograms(route.url)) route.onRequest = [redirect, route.onRequest ?? []].flat();
  });
}
