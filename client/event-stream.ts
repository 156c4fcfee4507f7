export type Entry = { name: string; data: string };

/** Comments have neither name nor data. */
export async function* readEntries(body: ReadableStream<Uint8Array>): AsyncGenerator<Entry> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += decoder.decode(read.value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks)
        yield { name: valuesOf(block, 'event').at(-1) ?? '', data: valuesOf(block, 'data').join('\n') };
    }
  } finally {
    await reader.cancel().catch(() => {}); // the reader has already seen the failure
  }
}

const valuesOf = (block: string, field: string): string[] =>
  block
    .split(/\r?\n/)
    .filter((line) => line.startsWith(`${field}:`))
    .map((line) => line.slice(field.length + 1).trimStart());
