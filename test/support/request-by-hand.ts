import { request } from 'node:http';
import type { Service } from './harness.ts';

type Answer = { status: number; location: string | undefined; text: string };

/** Sends a request with any `host`, which fetch would set itself. */
export const requestByHand = (
  { url }: Service,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers }, (answer) => {
      let text = '';
      answer.on('data', (bytes: Buffer) => void (text += bytes.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text }));
    });
    outgoing.on('error', reject).end();
  });
