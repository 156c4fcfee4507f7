import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AccountEvent } from '../generated/types.gen.ts';
import { type Io, UsageError } from './command.ts';
import { printMessage } from './terminal.ts';

export type Forward = (event: AccountEvent) => Promise<void>;

/** Milliseconds that a receiver has to answer, as for webhooks. */
const answerWithin = 15_000;

/** Posts events where `--forward-to` says, as the service posts a webhook; without it does nothing. */
export function forwardingOf(io: Io, to: string | undefined, secret: string | undefined): Forward {
  if (to === undefined && secret === undefined) return async () => {};
  if (to === undefined) throw new UsageError('--secret needs --forward-to.', 'See: atelier watch --help');
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol))
    throw new UsageError('--forward-to must be an address.', 'For example: --forward-to http://localhost:8787/hooks');
  if (secret === undefined || !/^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret))
    throw new UsageError('--secret must be the secret of a webhook: whsec_ and base64.', 'Use the one that your receiver verifies with.');
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return async (event) => {
    const result = await post(new URL(to), key, event).catch((error: Error) => error.message);
    printMessage(io, `${event.id}  ${event.type}  ${result}`);
  };
}

/** One attempt with the headers and the body of a delivery. The receiver's answer, in a word. */
function post(to: URL, key: Buffer, event: AccountEvent): Promise<string> {
  const body = JSON.stringify({ type: event.type, timestamp: event.created_at, data: event });
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', key).update(`${event.id}.${seconds}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Atelier-Webhooks/1',
    'webhook-id': event.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
  const request = to.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerWithin);
    const sent = request(to, { method: 'POST', headers, signal }, (answer) => {
      answer.resume().on('error', reject);
      answer.on('end', () => resolve(String(answer.statusCode)));
    });
    sent.on('error', (error) => reject(signal.aborted ? new Error('no answer within 15 seconds') : error));
    sent.end(body);
  });
}
