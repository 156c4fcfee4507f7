import { request as requestByHttp, type IncomingMessage } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { ReceiverRules } from '../webhooks/receiver-address.ts';
import { type FetchDocument, fitDocument, type ReadDocument } from './app-document.ts';

/** In bytes and milliseconds. */
const largest = 5 * 1024;
const within = 4_000;
const failedFor = 60_000;

/** Documents read at once, and addresses that are remembered because they had none. */
const atOnce = { host: 3, all: 20 };
const mostFailed = 1_000;

/**
 * Reads metadata documents. Requests for the same one wait together. An address without one is not asked
 * again for a minute, and hosts that let the service wait cannot keep it from reading others.
 */
export function createFetchDocument(receivers: ReceiverRules): FetchDocument {
  const reading = new Map<string, Promise<ReadDocument>>();
  const failed = new Map<string, 'unreachable' | null>();
  const isFull = ({ host }: URL) =>
    reading.size >= atOnce.all ||
    [...reading.keys()].filter((address) => new URL(address).host === host).length >= atOnce.host;
  const remember = (address: string, failure: 'unreachable' | null) => {
    if (failed.size >= mostFailed) return;
    failed.set(address, failure);
    setTimeout(() => failed.delete(address), failedFor).unref();
  };
  return async (address) => {
    const underWay = reading.get(address);
    if (underWay) return underWay;
    if (receivers.fault(address) !== null) return null;
    const failure = failed.get(address);
    if (failure !== undefined) return failure;
    if (isFull(new URL(address))) return 'unreachable';
    const document = readDocument(receivers, address).finally(() => reading.delete(address));
    reading.set(address, document);
    const read = await document;
    if (read === null || read === 'unreachable') remember(address, read);
    return read;
  };
}

/** Statuses of a guard before the document, which say nothing about the document. */
const busy = [403, 408, 429];

/** A small JSON document at a public address, by the rules of webhooks. Follows no redirect. */
async function readDocument(receivers: ReceiverRules, address: string): Promise<ReadDocument> {
  const ended = AbortSignal.timeout(within);
  try {
    const answer = await ask(receivers, new URL(address), ended);
    const isJson = /^application\/(\S+\+)?json\b/i.test(answer.headers['content-type'] ?? '');
    if (answer.statusCode === 200 && isJson) return fitDocument(address, JSON.parse(await readWhole(answer)));
    answer.destroy();
    const { statusCode = 500 } = answer;
    return statusCode >= 500 || busy.includes(statusCode) ? 'unreachable' : null;
  } catch {
    // The app gets no reason, because it could probe a network with it.
    return 'unreachable';
  }
}

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
