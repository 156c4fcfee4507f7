import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccountEvent, verifyWebhook } from '../client/atelier.ts';

export type Receiver = {
  url: string;
  /** Set once the endpoint exists. */
  secrets: string[];
  /** Each event once, in order of arrival. */
  received: AccountEvent[];
  /** Resolves with the first matching event. */
  next(isLike: (event: AccountEvent) => boolean): Promise<AccountEvent>;
  close(): void;
};

export async function createReceiver(): Promise<Receiver> {
  const received: AccountEvent[] = [];
  const secrets: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void take(request.headers, Buffer.concat(parts).toString()).then((status) => response.writeHead(status).end());
    });
  }).listen(0, '127.0.0.1');
  async function take(headers: IncomingHttpHeaders, body: string): Promise<number> {
    const event = await verifyWebhook(headers, body, secrets).catch(() => null);
    if (event === null) return 401;
    if (received.every(({ id }) => id !== event.id)) received.push(event);
    server.emit('received');
    return 204;
  }
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secrets,
    received,
    async next(isLike) {
      const signal = AbortSignal.timeout(15_000);
      for (;;) {
        const event = received.find(isLike);
        if (event) return event;
        await once(server, 'received', { signal });
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
