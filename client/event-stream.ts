import { throwUnreachable } from './error.ts';

export type Entry = { name: string; data: string };

/** The chunks of a body. Where it breaks off, the service is unreachable. */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    const next = () => reader.read().catch(throwUnreachable);
    for (let read = await next(); !read.done; read = await next()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {}); // the reader has already seen the failure
  }
}

/** Comments have neither name nor data. */
export async function* readEntries(body: ReadableStream<Uint8Array>): AsyncGenerator<Entry> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(body)) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks)
      yield { name: valuesOf(block, 'event').at(-1) ?? '', data: valuesOf(block, 'data').join('\n') };
  }
}

const valuesOf = (block: string, field: string): string[] =>
  block
    .split(/\r?\n/)
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).trimStart());

type Ask = (options: object) => Promise<ReadableStream<Uint8Array> | null>;

/** What the entries of one stream hold, until it ends or breaks off. `ask` opens it. */
export async function* dataOf(ask: Ask, options: object): AsyncGenerator<unknown> {
  const body = await ask({ ...options, parseAs: 'stream', responseStyle: 'data', retries: 0 });
  if (body) for await (const { data } of readEntries(body)) if (data !== '') yield JSON.parse(data);
}
