import { AtelierError } from './error.ts';
import { readEntries } from './event-stream.ts';
import type { Client } from './generated/client/index.ts';
import type { AccountEvent, ListEventsResponse } from './generated/types.gen.ts';
import { wait } from './send.ts';

export type EventOptions = {
  /** The `seq` of your last event; 0 for all stored ones. Default: only new events. */
  after?: number | undefined;
  jobId?: string | undefined;
  signal?: AbortSignal | undefined;
};

export type Source = {
  client: Client;
  list(query: { after: number; wait?: number; limit?: number; job_id?: string }): Promise<ListEventsResponse>;
};

/** Where to continue, and perhaps an event. `latest`: the newest existing one. */
type Step = { cursor: number; event?: AccountEvent; latest?: number };

/** Milliseconds until a stream must start, and may be silent. Comments come every 15 seconds. */
const openWithin = 10_000;
const silentFor = 45_000;

/** Milliseconds of long polling before a refused stream is tried again. */
const pollFor = 5 * 60_000;
const pollSeconds = 25;

/** Random seconds before a retry, so that clients do not reconnect together. */
const pause = () => 0.2 + Math.random() * 2;

const passing = [0, 429, 502, 503, 504];

class NoStream extends Error {}

/** Uses the stream, or long polling without one, and resumes from its cursor. Throws permanent errors. */
export async function* follow(source: Source, { after, jobId, signal }: EventOptions): AsyncGenerator<AccountEvent> {
  let cursor: number;
  try {
    // Read once, so that nothing before the stream opens is missed.
    cursor = after ?? (await source.list({ after: 0, limit: 1, ...(jobId ? { job_id: jobId } : {}) })).latest;
  } catch (error) {
    if (signal?.aborted) return;
    throw error;
  }
  // The service can filter the past of one job; the stream cannot.
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

async function* poll({ list }: Source, after: number, jobId: string | undefined, seconds: number): AsyncGenerator<Step> {
  const { events, next_after, latest } = await list({ after, wait: seconds, ...(jobId ? { job_id: jobId } : {}) });
  for (const event of events) yield { cursor: event.seq, event };
  yield { cursor: next_after, latest };
}

async function* stream(source: Source, after: number, signal?: AbortSignal): AsyncGenerator<Step> {
  const ended = new AbortController();
  const stop = () => ended.abort();
  let opened = false;
  let timer = setTimeout(stop, openWithin);
  try {
    const body = await open(source, after, signal ? AbortSignal.any([signal, ended.signal]) : ended.signal);
    for await (const { name, data } of readEntries(body)) {
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

/** The service limits open streams; a proxy may answer something else. */
async function open({ client }: Source, after: number, signal: AbortSignal) {
  const answer = await client
    .get<ReadableStream<Uint8Array>, unknown, true, 'fields'>({
      url: '/api/v1/events/stream',
      parseAs: 'stream',
      responseStyle: 'fields',
      security: [{ scheme: 'bearer', type: 'http' }],
      query: { after },
      retries: 0,
      signal,
    })
    .catch((error: unknown) => {
      throw error instanceof AtelierError && error.status === 429 ? new NoStream() : error;
    });
  if (!answer.response?.headers.get('content-type')?.startsWith('text/event-stream')) throw new NoStream();
  return answer.data as ReadableStream<Uint8Array>;
}

const expired = () =>
  new AtelierError(410, {
    code: 'cursor_expired',
    message: 'The cursor is no place in the log any more.',
    action: 'List your jobs, then follow without `after`.',
  });
