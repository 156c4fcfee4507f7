import { createInterface } from 'node:readline';
import type { Command } from './command.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { findConnection } from './profile.ts';
import { say } from './terminal.ts';

type Message = { id?: string | number | null; method?: string; params?: { name?: string; uri?: string; _meta?: Record<string, unknown> } };
type Result = { result?: { protocolVersion?: string } };

export const mcp: Command = {
  name: 'mcp',
  summary: 'serve the Model Context Protocol on standard input and output, for hosts that start a program',
  examples: ['atelier mcp', 'ATELIER_URL=https://… ATELIER_KEY=atl_… atelier mcp'],
  async run({ connection }) {
    const { url, key } = await findConnection(connection);
    if (!url || !key) throw new UsageError('You are not logged in.', 'Run: atelier login, or set ATELIER_URL and ATELIER_KEY');
    const bridge = new Bridge(`${url}/mcp`, key);
    const running = new Set<Promise<void>>();
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === '') continue;
      const done = bridge.forward(line).finally(() => running.delete(done));
      running.add(done);
    }
    // What was asked last is still answered, as where messages are piped in; what waits for events is not waited for.
    const late = setTimeout(() => bridge.stop(), 1_000);
    await Promise.all(running);
    clearTimeout(late);
    return exitCodes.done;
  },
};

/** Forwards messages as they are: tools, schemas and words are those of the service. */
class Bridge {
  readonly #url: string;
  readonly #key: string;
  readonly #stopping = new AbortController();
  #version: string | undefined;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  stop(): void {
    this.#stopping.abort();
  }

  async forward(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch {
      return write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'This line is not valid JSON.' } });
    }
    try {
      await this.#send(line, message);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      if (message.id === undefined) return say(`atelier mcp: ${reason}`);
      write({ jsonrpc: '2.0', id: message.id ?? null, error: { code: -32000, message: `The service cannot be reached: ${reason}` } });
    }
  }

  async #send(line: string, message: Message): Promise<void> {
    const answer = await fetch(this.#url, {
      method: 'POST',
      headers: this.#headers(message),
      body: line,
      signal: this.#stopping.signal,
    });
    const type = answer.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream') && answer.body) {
      for await (const data of eventsOf(answer.body)) this.#relay(data, message);
      return;
    }
    const text = await answer.text();
    if (text === '') return;
    if (answer.ok || text.includes('"jsonrpc"')) return this.#relay(text, message);
    const { error } = JSON.parse(text) as { error?: { message?: string; action?: string } };
    throw new Error(`${error?.message ?? answer.status} ${error?.action ?? ''}`.trim());
  }

  #relay(text: string, message: Message): void {
    const answer = JSON.parse(text) as Result;
    if (message.method === 'initialize') this.#version = answer.result?.protocolVersion;
    write(answer);
  }

  /** What Streamable HTTP wants beside the message; a message of 2026 says its version itself. */
  #headers({ method, params }: Message): Record<string, string> {
    const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? this.#version;
    const name = params?.name ?? params?.uri;
    return {
      authorization: `Bearer ${this.#key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
      ...(method === undefined ? {} : { 'mcp-method': method }),
      ...(name === undefined ? {} : { 'mcp-name': name }),
    };
  }
}

const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);

/** The data of each event of a stream. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.search(/\r?\n\r?\n/); end >= 0; end = text.search(/\r?\n\r?\n/)) {
      const event = text.slice(0, end);
      text = text.slice(end).replace(/^\r?\n\r?\n/, '');
      const data = event.split(/\r?\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
      if (data.length > 0) yield data.join('\n');
    }
  }
}
