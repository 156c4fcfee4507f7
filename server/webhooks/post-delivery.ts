import {
  request as requestByHttp,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as requestByHttps } from 'node:https';
import { deadlines } from '../lib/deadlines.ts';
import { inSpan, traceHeaders } from '../lib/trace.ts';
import type { ReceiverRules } from './receiver-address.ts';

export type Attempt = {
  status: number | null;
  error: string | null;
  ms: number;
  answer: string | null;
  retryAfter: number | null;
};

/** Bytes of an answer that are read, and that are stored. */
const maxRead = 64 * 1024;
const maxKept = 1_024;

/** Follows no redirect and ends after 15 seconds, whatever the answer. Only the status counts. */
export async function postDelivery(
  rules: ReceiverRules,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Attempt> {
  const began = performance.now();
  const result = (outcome: Partial<Attempt>): Attempt => ({
    status: null,
    error: null,
    answer: null,
    retryAfter: null,
    ...outcome,
    ms: Math.round(performance.now() - began),
  });
  const fault = rules.fault(url);
  if (fault !== null) return result({ error: `The URL ${fault}.` });
  try {
    const to = new URL(url);
    const response = await inSpan('webhook POST', { 'server.address': to.hostname }, () =>
      send(rules, to, { ...headers, ...traceHeaders() }, body),
    );
    return result({
      status: response.statusCode ?? 0,
      retryAfter: secondsOf(response.headers),
      answer: await readAnswer(response, deadlines.webhook.answer - (performance.now() - began)),
    });
  } catch (error) {
    return result({ error: messageOf(error) });
  }
}

function send(rules: ReceiverRules, url: URL, headers: Record<string, string>, body: string): Promise<IncomingMessage> {
  const open = url.protocol === 'http:' ? requestByHttp : requestByHttps;
  return new Promise((resolve, reject) => {
    const request: ClientRequest = open(url, {
      method: 'POST',
      ...rules.connection(url),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Atelier-Webhooks/1',
      },
    });
    const timers = [
      setTimeout(
        () => request.destroy(new Error(`no answer within ${deadlines.webhook.answer / 1000} seconds`)),
        deadlines.webhook.answer,
      ),
    ];
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(
        () => request.destroy(new Error(`no connection within ${deadlines.webhook.connect / 1000} seconds`)),
        deadlines.webhook.connect,
      );
      timers.push(timer);
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    });
    request.on('response', resolve).on('error', reject);
    request.on('close', () => timers.forEach((timer) => clearTimeout(timer)));
    request.on('response', () => timers.forEach((timer) => clearTimeout(timer)));
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage, milliseconds: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(), Math.max(milliseconds, 0));
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      if (read < maxKept) chunks.push(part);
      read += part.length;
      if (read > maxRead) break;
    }
  } catch {
    // The answer broke off, but its status arrived.
  } finally {
    clearTimeout(timer);
  }
  // Postgres cannot store NUL.
  return Buffer.concat(chunks).subarray(0, maxKept).toString().replaceAll('\0', '\uFFFD');
}

/** `Retry-After` in seconds, or as a date by the receiver's clock. */
function secondsOf({ 'retry-after': wait, date }: IncomingHttpHeaders): number | null {
  if (wait === undefined) return null;
  if (/^\d{1,9}$/.test(wait)) return Number(wait);
  const seconds = (Date.parse(wait) - Date.parse(date ?? '')) / 1000;
  return seconds > 0 ? seconds : null;
}

/** What the receiver's owner may know: never the address that a name resolved to. */
function messageOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // The same message for private and unknown names, so that nobody can probe a private network for names.
  if (/is not allowed|is not at a public address/.test(message) || code === 'ENOTFOUND')
    return 'The host is not at a public address.';
  return (code ?? message).slice(0, 200);
}
