import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { schemaFault } from './answers.ts';

// Tests read any field of an event. Events are checked against the OpenAPI document.
// oxlint-disable-next-line typescript/no-explicit-any
export type Received = { headers: IncomingHttpHeaders; text: string; event: any };
type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

/** An HTTP server that receives webhooks. It answers 204 by default. */
export async function createReceiver() {
  const received: Received[] = [];
  let answer: Answer = (_, response) => response.writeHead(204).end();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const text = Buffer.concat(parts).toString();
        const delivery = { headers: request.headers, text, event: JSON.parse(text).data };
        received.push(delivery);
        answer(delivery, response, request);
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answer: (next: Answer) => void (answer = next),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof createReceiver>>;

/** Checks a delivery against its schema, and its signature with the reference library. */
export function verifyByReference({ headers, text, event }: Received, secret: string): void {
  expect(schemaFault({ $ref: '#/components/schemas/WebhookBody' }, JSON.parse(text))).toBeNull();
  expect(headers['webhook-id']).toBe(event.id);
  new Webhook(secret).verify(text, headers as Record<string, string>);
}
