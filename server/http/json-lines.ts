import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Lines } from '../../contract/endpoint.ts';

/** Sends one JSON object a line for as long as it takes; what cannot be read to its end breaks off, which a reader notices. */
export async function sendLines(reply: FastifyReply, { lines }: Lines, onFailure: (error: unknown) => void) {
  reply.hijack(); // else the time that an answer may take would cut it
  const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': 'application/x-ndjson' };
  reply.raw.writeHead(200, headers);
  await pipeline(Readable.from(asText(lines)), reply.raw).catch(onFailure);
}

async function* asText(lines: AsyncIterable<object>) {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
