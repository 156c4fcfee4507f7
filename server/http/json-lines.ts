import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Lines } from '../../contract/endpoint.ts';

/** No time limit. A failure cuts the connection, so that the reader notices. */
export async function sendLines(reply: FastifyReply, { lines }: Lines, onFailure: (error: unknown) => void) {
  reply.hijack(); // otherwise the request deadline would cut it
  const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': 'application/x-ndjson' };
  reply.raw.writeHead(200, headers);
  await pipeline(Readable.from(asText(lines)), reply.raw).catch(onFailure);
}

async function* asText(lines: AsyncIterable<object>) {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
