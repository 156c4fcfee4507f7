import type { FastifyReply, FastifyRequest } from 'fastify';
import { page } from '../lib/html.ts';
import type { Metrics } from '../lib/metrics.ts';

export const isOfPrograms = (url: string): boolean => /^\/(api|assets|mcp|storage)(?![^/?])/.test(url);

/** Whether a browser asks for a page. Programs ask for JSON or for anything. */
export const asksForPage = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(accept) && !isOfPrograms(url);

export function answerNoPage(reply: FastifyReply, metrics: Metrics) {
  metrics.refused('not_found');
  reply.request.refusedWith = 'not_found';
  return page(
    reply.code(404),
    'There is no such page',
    '<p>The address may be mistyped, or the link an old one.</p><p><a href="/">Go to the start</a></p>',
  );
}
