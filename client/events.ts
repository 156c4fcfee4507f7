import { AtelierError } from './error.ts';
import { type Entry, readEntries } from './event-stream.ts';
import type { Client } from './generated/client/index.ts';
import type { AccountEvent, ListEventsResponse } from './generated/types.gen.ts';
import { wait } from './send.ts';

export type EventOptions = {
  /** The `seq` of the last event that you have; 0 for all that are kept. Default: only what comes. */
  after?: number | undefined;
  /** Only events of this job. */
  jobId?: string | undefined;
  signal?: AbortSignal | undefined;
};

export type Source = {
  client: Client;
  /** Sends a request once. */
  send: typeof fetch;
  list(query: { after: number; wait?: number; limit?: number; job_id?: string }): Promise<ListEventsResponse>;
};

/** Where to go on from, and perhaps an event. `latest`: the newest one there is. */
type Step = { cursor: number; event?: AccountEvent; latest?: number };

/** Milliseconds until a stream must have begun, and that it may be silent: a comment comes every 15 seconds. */
const openWithin = 10_000;
const silentFor = 45_000;

/** Milliseconds of long polls where a stream is refused or does not come through; then one is tried again. */
const pollFor = 5 * 60_000;
const pollSeconds = 25;

/** Seconds until what broke off is tried again: drawn, so that not all who lost a service come back at once. */
const pause = () => 0.2 + Math.random() * 2;

const passing = [0, 429, 502, 503, 504];

class NoStream extends Error {}

/**
 * The log by its stream, and by long polls where there is none. Whatever breaks off, it goes on from its cursor. An error
 * that does not pass by itself, such as a key that was revoked or a cursor that has expired, is thrown.
 */
export async function* follow(source: Source, { after, jobId, signal }: EventOptions): AsyncGenerator<AccountEvent> {
  let cursor: number;
  try {
    // Taken once: what happens before a stream is open, or while none comes through, is after it.
    cursor = after ?? (await source.list({ after: 0, limit: 1, ...(jobId ? { job_id: jobId } : {}) })).latest;
  } catch (error) {
    if (signal?.aborted) return;
    throw error;
  }
  // Of one job the service finds the past by itself; the stream would tell that of the whole account.
  let behind = jobId !== undefined && after !== undefined;
  let pollUntil = 0;
  while (!signal?.aborted) {
    const polls = Date.now() < pollUntil;
    const steps = polls || behind ? poll(source, cursor, jobId, behind ? 0 : pollSeconds) : stream(source, cursor, signal);
    try {
      for await (const step of steps) {
        cursor = step.cursor;
        if (step.latest !== undefined) behind &&= cursor < step.latest;
        if (step.event && (jobId === undefined || step.event.job?.id === jobId)) yield step.event;
      }
      if (!polls && !behind) await wait(pause(), signal);
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof NoStream) pollUntil = Date.now() + pollFor;
      else if (error instanceof AtelierError && passing.includes(error.status)) await wait(pause(), signal).catch(() => {});
      else throw error;
    }
  }
}

/** One request, which waits for something to happen. */
async function* poll({ list }: Source, after: number, jobId: string | undefined, seconds: number): AsyncGenerator<Step> {
  const { events, next_after, latest } = await list({ after, wait: seconds, ...(jobId ? { job_id: jobId } : {}) });
  for (const event of events) yield { cursor: event.seq, event };
  yield { cursor: next_after, latest };
}

/** One stream, until it ends or breaks off. */
async function* stream(source: Source, after: number, signal?: AbortSignal): AsyncGenerator<Step> {
  const ended = new AbortController();
  const stop = () => ended.abort();
  let opened = false;
  let timer = setTimeout(stop, openWithin);
  try {
    const body = await open(source, after, signal ? AbortSignal.any([signal, ended.signal]) : ended.signal);
    for await (const { name, data } of entries(body)) {
      opened = true;
      clearTimeout(timer);
      timer = setTimeout(stop, silentFor);
      if (name === 'resync') throw expired();
      if (name === 'bye') return;
      if (name !== '' || data === '') continue;
      const event = JSON.parse(data) as AccountEvent;
      yield { cursor: event.seq, event };
    }
  } catch (error) {
    throw ended.signal.aborted && !opened ? new NoStream() : error;
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Refused where too many are open; a proxy may answer something else. */
async function open({ client, send }: Source, after: number, signal: AbortSignal) {
  const answer = await client
    .get<ReadableStream<Uint8Array>, unknown, true, 'fields'>({
      url: '/api/v1/events/stream',
      parseAs: 'stream',
      responseStyle: 'fields',
      security: [{ scheme: 'bearer', type: 'http' }],
      query: { after },
      fetch: send,
      signal,
    })
    .catch((error: unknown) => {
      throw error instanceof AtelierError && error.status === 429 ? new NoStream() : error;
    });
  if (!answer.response?.headers.get('content-type')?.startsWith('text/event-stream')) throw new NoStream();
  return answer.data as ReadableStream<Uint8Array>;
}

/** A stream that breaks off is an unreachable service. */
async function* entries(body: ReadableStream<Uint8Array>): AsyncGenerator<Entry> {
  try {
    yield* readEntries(body);
  } catch (error) {
    throw new AtelierError(0, {}, error);
  }
}

const expired = () =>
  new AtelierError(410, {
    code: 'cursor_expired',
    message: 'The cursor is no place in the log any more.',
    action: 'List your jobs, then follow without `after`.',
  });
