import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EntrySource, EventStream, StreamEntry } from '../../contract/endpoint.ts';
import type { CallerOf } from './caller.ts';
import { Refusal } from './refusal.ts';

type Caller = CallerOf<'caller' | 'desk'>;
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
  // One timer for all: a comment finds proxies and dead connections, and a stream that is old enough ends.
  setInterval(() => {
    for (const stream of streams) stream.comment();
  }, commentEvery).unref();

  /** How many are open, by the id of who they count for. */
  const counts = new Map<string, number>();
  const count = (caller: Caller, change: 1 | -1) => {
    for (const { id } of partiesOf(caller)) counts.set(id, (counts.get(id) ?? 0) + change);
    for (const { id } of partiesOf(caller)) if (counts.get(id) === 0) counts.delete(id);
  };

  const listener: Listener = {
    onFailure,
    onEnd(stream) {
      streams.delete(stream);
      count(stream.caller, -1);
    },
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
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
        connection: 'close', // once the stream has ended; it carries nothing else
      });
      reply.raw.flushHeaders();
      const stream = new OpenStream(caller, reply.raw, entries, listener);
      streams.add(stream);
      count(caller, 1);
      stream.wake();
    },
    callers: () => [...streams].map(({ caller }) => caller),
    end(isEnded) {
      for (const stream of streams) if (isEnded(stream.caller)) stream.end();
    },
    close() {
      closed = true;
      for (const stream of streams) stream.end();
    },
  };
}

type Listener = { onFailure(error: unknown): void; onEnd(stream: OpenStream): void };

/** One reader. While there is nothing to send it is this object, its source and its connection: no promise waits. */
class OpenStream {
  readonly caller: Caller;
  readonly #response: ServerResponse;
  readonly #listener: Listener;
  readonly #source: EntrySource;
  readonly #endsAt = performance.now() + lifetime();
  #isWoken = false;
  #isSending = false;
  #isEnded = false;

  constructor(caller: Caller, response: ServerResponse, entries: EventStream, listener: Listener) {
    this.caller = caller;
    this.#response = response;
    this.#listener = listener;
    this.#source = entries(this);
    response.on('close', () => this.end());
  }

  wake(): void {
    this.#isWoken = true;
    if (!this.#isSending && !this.#isEnded) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#isWoken && !this.#isEnded) {
        this.#isWoken = false;
        await this.#sendWhatThereIs();
      }
    } catch (error) {
      this.#listener.onFailure(error);
      this.end();
    } finally {
      this.#isSending = false;
    }
  }

  async #sendWhatThereIs(): Promise<void> {
    for await (const entry of this.#source.read()) {
      if (this.#isEnded) return;
      this.#response.write(textOf(entry));
      if (this.#isBehind() && !(await this.#catchesUp())) return this.end();
    }
  }

  comment(): void {
    if (performance.now() > this.#endsAt) this.end();
    else if (!this.#isBehind()) this.#response.write(':\n\n');
  }

  /** Says `bye`; a reader who does not read is cut, and resumes by itself. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#source.close();
    if (this.#isBehind()) this.#response.destroy();
    else if (!this.#response.destroyed) this.#response.end(textOf({ event: 'bye', data: {} }));
    this.#listener.onEnd(this);
  }

  #isBehind(): boolean {
    return this.#response.writableLength > maxUnsent;
  }

  /** Whether the reader takes what was sent in time. */
  async #catchesUp(): Promise<boolean> {
    const signal = AbortSignal.timeout(cutAfter);
    try {
      await Promise.race([once(this.#response, 'drain', { signal }), once(this.#response, 'close', { signal })]);
      return !this.#response.destroyed;
    } catch {
      return false;
    }
  }
}

const textOf = ({ event, id, retry, data }: StreamEntry): string =>
  [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    `data: ${JSON.stringify(data)}`,
  ].join('\n') + '\n\n';
