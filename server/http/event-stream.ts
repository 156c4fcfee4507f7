import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EntrySource, EventStream, StreamEntry } from '../../contract/endpoint.ts';
import type { Loops } from '../lib/loops.ts';
import type { CallerOf } from './request.ts';
import { Refusal } from './refusal.ts';

type Caller = CallerOf<'caller' | 'desk'>;
type Party = { name: 'key' | 'account'; id: string; limit: number };

/** How many streams may be open at once in this process. */
const [perAccount, perKey, perProcess] = [20, 5, 10_000];

/** `maxUnsent`: unread bytes after which a stream pauses; after the milliseconds below it is cut. */
const maxUnsent = 64 * 1024;
const cutAfter = 30_000;

const commentEvery = 15_000;

/** Streams end after a random 30 to 60 minutes, which spreads readers over the processes again. */
const lifetime = () => (30 + Math.random() * 30) * 60_000;

/** The parties a stream counts against: key and account, or the operator or worker at the desk. */
function partiesOf(caller: Caller): Party[] {
  const account = caller.method === 'worker_key' ? caller.keyId : (caller.accountId ?? caller.userId);
  const parties: Party[] = [{ name: 'account', id: account, limit: perAccount }];
  return caller.method === 'api_key' ? [{ name: 'key', id: caller.keyId, limit: perKey }, ...parties] : parties;
}

export type Streams = {
  open(reply: FastifyReply, caller: Caller, entries: EventStream): void;
  callers(): Caller[];
  /** Sends `bye` to these callers. They may reconnect if they still have a credential. */
  end(isEnded: (caller: Caller) => boolean): void;
  /** Sends `bye` to everybody and accepts no new streams. */
  close(): void;
};

/** Each stream reads from its own cursor; nothing is buffered for it. */
export function createStreams(loops: Loops, onFailure: (error: unknown) => void): Streams {
  const streams = new Set<OpenStream>();
  let closed = false;
  loops.succeeded('streams');
  // One timer serves all streams: it sends comments that keep proxies open and reveal dead connections, and
  // ends old streams.
  setInterval(() => {
    for (const stream of streams) stream.comment();
    loops.succeeded('streams');
  }, commentEvery).unref();

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
        action: 'Close a stream that you no longer read: one stream carries every event of the account.',
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
        connection: 'close', // the connection carries nothing after the stream
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

  /** Sends `bye`. A reader that does not read is cut and resumes on its own. */
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
