import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EventStream, StreamEntry } from '../../contract/endpoint.ts';
import type { CallerOf } from './caller.ts';
import { Refusal } from './refusal.ts';

type Caller = CallerOf<'caller' | 'desk'>;
type OpenStream = { caller: Caller; response: ServerResponse; ended: AbortController };
type Party = { name: 'key' | 'account'; id: string; limit: number };

/** Streams that are open at once in this process. */
const [perAccount, perKey, perProcess] = [20, 5, 10_000];

/** Bytes that a reader may leave unread before its stream stands still, and the milliseconds after which it is cut. */
const maxUnsent = 64 * 1024;
const cutAfter = 30_000;

const commentEvery = 15_000;

/** A stream ends after 30 to 60 minutes, drawn, so that readers spread over the processes again. */
const lifetime = () => (30 + Math.random() * 30) * 60_000;

/** Whom a stream counts for: the key, and the account; at the desk the operator or the worker. */
function partiesOf(caller: Caller): Party[] {
  const account = caller.method === 'worker_key' ? caller.keyId : (caller.accountId ?? caller.userId);
  const parties: Party[] = [{ name: 'account', id: account, limit: perAccount }];
  return caller.method === 'api_key' ? [{ name: 'key', id: caller.keyId, limit: perKey }, ...parties] : parties;
}

export type Streams = {
  /** Sends entries until either side ends it. Refuses beyond the limits, before anything is sent. */
  open(reply: FastifyReply, caller: Caller, entries: EventStream): void;
  /** Whose streams are open. */
  callers(): Caller[];
  /** Says `bye` to these callers, who may connect again if they still hold a credential. */
  end(isEnded: (caller: Caller) => boolean): void;
  /** Says `bye` to all and takes no new ones. */
  close(): void;
};

/** The streams of server-sent events of one process. Each is a reader with a cursor: nothing is buffered for it. */
export function createStreams(onFailure: (error: unknown) => void): Streams {
  const streams = new Set<OpenStream>();
  let closed = false;
  // One timer for all: proxies and dead connections are found by a comment.
  setInterval(() => {
    for (const { response } of streams) if (response.writableLength < maxUnsent) response.write(':\n\n');
  }, commentEvery).unref();

  /** How many are open, by the id of who they count for. */
  const counts = new Map<string, number>();
  const count = (caller: Caller, change: 1 | -1) => {
    for (const { id } of partiesOf(caller)) counts.set(id, (counts.get(id) ?? 0) + change);
    for (const { id } of partiesOf(caller)) if (counts.get(id) === 0) counts.delete(id);
  };

  function refuseBeyondLimits(caller: Caller): void {
    if (closed || streams.size >= perProcess)
      throw new Refusal('service_unavailable', { headers: { 'retry-after': '2' } });
    const full = partiesOf(caller).find(({ id, limit }) => (counts.get(id) ?? 0) >= limit);
    if (full)
      throw new Refusal('rate_limit_exceeded', {
        message: `Each process allows ${full.limit} streams per ${full.name} at a time.`,
        action: 'End a stream that you no longer read: one stream tells everything that happens in the account.',
        retryAfterSeconds: 30,
      });
  }

  return {
    open(reply, caller, entries) {
      refuseBeyondLimits(caller);
      const stream: OpenStream = { caller, response: reply.raw, ended: new AbortController() };
      streams.add(stream);
      count(caller, 1);
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
        connection: 'close', // once the stream has ended; it carries nothing else
      });
      reply.raw.flushHeaders();
      reply.raw.on('close', () => stream.ended.abort());
      const timer = setTimeout(() => stream.ended.abort(), lifetime());
      void send(stream, entries)
        .catch(onFailure)
        .finally(() => {
          clearTimeout(timer);
          streams.delete(stream);
          count(caller, -1);
          sayBye(stream.response);
        });
    },
    callers: () => [...streams].map(({ caller }) => caller),
    end(isEnded) {
      for (const { caller, ended } of streams) if (isEnded(caller)) ended.abort();
    },
    close() {
      closed = true;
      for (const { ended } of streams) ended.abort();
    },
  };
}

async function send({ response, ended }: OpenStream, entries: EventStream): Promise<void> {
  for await (const entry of entries(ended.signal)) {
    if (ended.signal.aborted) return;
    response.write(textOf(entry));
    if (response.writableLength > maxUnsent && !(await isRead(response, ended.signal))) return void response.destroy();
  }
}

/** Whether the reader has taken what was sent, before it is cut. It resumes by itself. */
async function isRead(response: ServerResponse, ended: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(cutAfter)]);
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
    return !response.destroyed;
  } catch {
    return false;
  }
}

function sayBye(response: ServerResponse): void {
  if (!response.destroyed) response.end(textOf({ event: 'bye', data: {} }));
}

const textOf = ({ event, id, retry, data }: StreamEntry): string =>
  [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    `data: ${JSON.stringify(data)}`,
  ].join('\n') + '\n\n';
