import { request as requestByHttp, type IncomingMessage } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { ReceiverRules } from '../webhooks/receiver-address.ts';
import type { FetchDocument } from './metadata-documents.ts';

/** In bytes and milliseconds. */
const largest = 5 * 1024;
const within = 4_000;

/** Reads a small JSON document from a public address, by the rules of webhooks. Follows no redirect. */
export const createFetchDocument =
  (receivers: ReceiverRules): FetchDocument =>
  async (text) => {
    if (receivers.fault(text) !== null) return null;
    const ended = AbortSignal.timeout(within);
    try {
      const answer = await ask(receivers, new URL(text), ended);
      const isJson = /^application\/(\S+\+)?json\b/i.test(answer.headers['content-type'] ?? '');
      if (answer.statusCode === 200 && isJson) return JSON.parse(await readWhole(answer)) as unknown;
      answer.destroy();
    } catch {
      // The app is told that it is not known, whatever the reason: nobody can probe a network by it.
    }
    return null;
  };

const ask = (receivers: ReceiverRules, url: URL, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const open = url.protocol === 'http:' ? requestByHttp : requestByHttps;
    const headers = { accept: 'application/json', 'user-agent': 'Atelier/1' };
    open(url, { method: 'GET', signal, headers, ...receivers.connection(url) })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });

async function readWhole(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > largest) throw new Error('The document is too large.');
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString();
}
