import type { FastifyReply, FastifyRequest } from 'fastify';
import { page } from '../lib/html.ts';
import type { Metrics } from '../lib/metrics.ts';

/** Addresses that programs use: they answer JSON to everybody. */
const ofPrograms = /^\/(api|assets|mcp|storage)(?![^/?])/;

/** Whether a person looks for a page there; programs ask for JSON, or for anything. */
export const asksForPage = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(accept) && !ofPrograms.test(url);

/** The 404 of a person who mistyped an address or followed an old link. */
export function answerNoPage(reply: FastifyReply, metrics: Metrics) {
  metrics.refused('not_found');
  return page(
    reply.code(404),
    'There is no such page',
    '<p>The address may be mistyped, or the link an old one.</p><p><a href="/">Go to the start</a></p>',
  );
}
