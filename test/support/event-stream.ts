import { expect } from 'vitest';
import { accountEventSchemaFault } from './answers.ts';
import type { Service } from './harness.ts';

// Tests read any field of an entry. Events are checked against the OpenAPI document.
// oxlint-disable-next-line typescript/no-explicit-any
export type Entry = { event: string | null; id: string | null; retry: string | null; data: any };

export type Followed = {
  /** The next entry, without comments; null once the stream has ended. */
  next(): Promise<Entry | null>;
  /** The next `count` events, without other entries. */
  events(count: number): Promise<Entry[]>;
  close(): Promise<void>;
};

function parse(block: string): Entry {
  const field = (name: string) => {
    const lines = block.split('\n').filter((line) => line.startsWith(`${name}: `));
    return lines.length === 0 ? null : lines.map((line) => line.slice(name.length + 2)).join('\n');
  };
  return { event: field('event'), id: field('id'), retry: field('retry'), data: JSON.parse(field('data') ?? 'null') };
}

async function* entriesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Entry> {
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) if (!block.startsWith(':')) yield parse(block);
  }
}

/** Follows a stream over HTTP from the cursor on, with the credential `as`. */
export async function followEvents(
  { url }: Pick<Service, 'url'>,
  as: string,
  { path = '/api/v1/events/stream', lastEventId }: { path?: string; lastEventId?: string } = {},
): Promise<Followed> {
  const ended = new AbortController();
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${as}`, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: ended.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const entries = entriesOf(response.body!);
  const next = async () => {
    // Holds the response: fetch cancels a body that nobody reads once its response is collected.
    expect(response.ok).toBe(true);
    const { done, value } = await entries.next();
    if (done) return null;
    if (value.event === null && value.data.seq !== undefined) expect(accountEventSchemaFault(value.data)).toBeNull();
    return value;
  };
  return {
    next,
    async events(count) {
      const events: Entry[] = [];
      for (let entry = await next(); entry; entry = await next()) {
        if (entry.event === null) events.push(entry);
        if (events.length === count) break;
      }
      return events;
    },
    async close() {
      ended.abort();
      await entries.return(undefined).catch(() => {});
    },
  };
}
