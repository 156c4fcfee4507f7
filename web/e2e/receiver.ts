import { once } from 'node:events';
import { createServer } from 'node:http';

/** A program of a customer that receives webhooks on this machine; what it answers can be changed. */
export async function startReceiver() {
  const received: { type: string; signatures: number }[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const { type } = JSON.parse(body) as { type: string };
      received.push({ type, signatures: String(request.headers['webhook-signature']).split(' ').length });
      response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 204 ? undefined : 'not today');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return {
    url: `http://127.0.0.1:${address.port}/atelier`,
    received,
    answer: (next: number) => void (status = next),
    stop: () => void server.close(),
  };
}
