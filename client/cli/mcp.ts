import { AtelierError, throwUnreachable } from '../error.ts';
import { readEntries } from '../event-stream.ts';
import { type Command, exitCodes, IdentityError, type Io } from './command.ts';
import { findConnection } from './profile.ts';
import { proxyHint } from './proxy.ts';
import { printMessage } from './terminal.ts';

type Id = string | number;
type RpcError = { code: number; message: string; data?: unknown };
type Params = { name?: unknown; uri?: unknown; requestId?: Id; _meta?: Record<string, unknown> | null };
type Message = { id?: Id | null; method?: unknown; params?: Params | null };
type Answer = { jsonrpc?: unknown; id?: Id | null; method?: string; result?: { protocolVersion?: string }; error?: RpcError };
/** A line sent to the service, until it is answered. */
type Sent = { message: Message | (Message | null)[]; unanswered: Set<Id>; ended: AbortController };

export const mcp: Command = {
  name: 'mcp',
  summary: 'serve the Model Context Protocol on standard input and output, for hosts that start a program',
  examples: ['atelier mcp', 'ATELIER_URL=https://… ATELIER_KEY=atl_… atelier mcp'],
  async run({ connection }, io) {
    const { url, key, refusal } = await findConnection(connection);
    if (url && !key) throw refusal;
    if (!url || !key) throw new IdentityError('You are not logged in.', 'Run: atelier login, or set ATELIER_URL and ATELIER_KEY');
    const bridge = new Bridge(io, `${url}/mcp`, async () => (await findConnection(connection)).key ?? key);
    const running = new Set<Promise<void>>();
    for await (const line of linesOf(io)) {
      if (line.trim() === '') continue;
      const done = bridge.forward(line).finally(() => running.delete(done));
      running.add(done);
    }
    // After the end of input, requests are still answered: the service takes at most 5 s. Waits end.
    const late = [setTimeout(() => bridge.stop(waits), 1_000), setTimeout(() => bridge.stop(), 6_000)];
    await Promise.all(running);
    late.forEach(clearTimeout);
    return exitCodes.done;
  },
};

/** Not `readline`, which also splits at U+2028, a valid character in JSON. */
async function* linesOf({ stdin }: Io): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    const lines = (text + String(chunk)).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
  yield text;
}

class Bridge {
  readonly #io: Io;
  readonly #url: string;
  readonly #key: () => Promise<string>;
  readonly #open = new Set<Sent>();
  #version: string | undefined;

  constructor(io: Io, url: string, key: () => Promise<string>) {
    this.#io = io;
    this.#url = url;
    this.#key = key;
  }

  stop(which: (sent: Sent) => boolean = () => true): void {
    for (const sent of this.#open) if (which(sent)) sent.ended.abort();
  }

  async forward(line: string): Promise<void> {
    const message = read(this.#io, line);
    if (!message) return;
    if ('method' in message && message.method === 'notifications/cancelled') return this.#cancel(message.params?.requestId);
    const sent: Sent = { message, unanswered: idsOf(message), ended: new AbortController() };
    this.#open.add(sent);
    try {
      await this.#send(line, sent);
    } catch (error) {
      if (!sent.ended.signal.aborted) tellFailure(this.#io, error, sent);
    } finally {
      this.#open.delete(sent);
    }
  }

  /** HTTP has no other way to cancel a request than closing the connection. */
  #cancel(id: Id | undefined): void {
    for (const { unanswered, ended } of this.#open)
      if (id !== undefined && unanswered.delete(id) && unanswered.size === 0) ended.abort();
  }

  async #send(line: string, sent: Sent): Promise<void> {
    const answer = await this.#post(line, sent);
    if (answer.body && answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      // Entries such as `bye` belong to the service.
      for await (const { name, data } of readEntries(answer.body))
        if (data !== '' && (name === '' || name === 'message')) this.#relay(JSON.parse(data) as Answer, sent);
    } else {
      const text = await answer.text().catch(throwUnreachable);
      if (text !== '') this.#relay(readAnswer(text, answer.status), sent);
    }
    if (sent.unanswered.size > 0) throw new Failure({ code: -32000, message: 'The service ended this request. Send it again.' });
  }

  async #post(line: string, { message, ended: { signal } }: Sent): Promise<Response> {
    const headers = Array.isArray(message) ? await this.#headers({}) : await this.#headers(message);
    try {
      return await fetch(this.#url, { method: 'POST', headers, body: line, redirect: 'manual', signal });
    } catch (error) {
      const hint = proxyHint(this.#io.env);
      throw new Failure({ code: -32000, message: `The service cannot be reached: ${reasonOf(error)}${hint ? `. ${hint}` : ''}` });
    }
  }

  #relay(answer: Answer | Answer[], { message, unanswered }: Sent): void {
    for (const { id, method, result, error } of [answer].flat()) {
      // The service could not read the id.
      if (error && !isId(id) && unanswered.size > 0) throw new Failure(error);
      if (method === undefined && isId(id)) unanswered.delete(id);
      if ('method' in message && message.method === 'initialize') this.#version = result?.protocolVersion;
    }
    write(this.#io, answer);
  }

  /** Headers required by Streamable HTTP. Messages of 2026 contain their version. */
  async #headers({ method, params }: Message): Promise<Record<string, string>> {
    const fromMessage = {
      'mcp-protocol-version': params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? this.#version,
      'mcp-method': method,
      'mcp-name': params?.name ?? params?.uri,
    };
    const texts = Object.entries(fromMessage).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return {
      authorization: `Bearer ${await this.#key()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...Object.fromEntries(texts.map(([name, text]) => [name, headerText(text)])),
    };
  }
}

const waits = ({ message }: Sent): boolean =>
  [message].flat().some((each) => each?.method === 'subscriptions/listen' || each?.params?.name === 'wait_for_events');

/** Null for invalid messages, which are answered with an error. */
function read(io: Io, line: string): Sent['message'] | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    writeError(io, null, { code: -32700, message: 'This line is not valid JSON.' });
    return null;
  }
  if (typeof message === 'object' && message !== null) return message;
  writeError(io, null, { code: -32600, message: 'This line is not a JSON-RPC message.' });
  return null;
}

const isId = (id: unknown): id is Id => typeof id === 'string' || typeof id === 'number';

/** Notifications have no ids. */
const idsOf = (message: Sent['message']): Set<Id> => new Set([message].flat().map((entry) => entry?.id).filter(isId));

/** Encodes what headers cannot contain, as the protocol specifies. */
const headerText = (text: string): string =>
  /^(?! )[ -~]+(?<! )$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** A JSON-RPC answer, a refusal of the service, or the page of a proxy. */
function readAnswer(text: string, status: number): Answer | Answer[] {
  let answer: object = {};
  try {
    answer = Object(JSON.parse(text)) as object;
  } catch {
    // Only the status of a proxy's page is useful.
  }
  if (Array.isArray(answer) || 'jsonrpc' in answer) return answer;
  const { error } = answer as { error?: { message?: string; action?: string } };
  if (!error?.message) throw new Failure({ code: -32000, message: `The service answered ${status}.` });
  throw new Failure({ code: -32000, message: `${error.message} ${error.action ?? ''}`.trim(), data: error });
}

/** An error instead of an answer of the service. */
class Failure extends Error {
  readonly error: RpcError;
  constructor(error: RpcError) {
    super(error.message);
    this.error = error;
  }
}

function tellFailure(io: Io, failure: unknown, { unanswered }: Sent): void {
  const broken = { code: -32000, message: `The connection to the service is lost: ${reasonOf(failure)}` };
  const fault = { code: -32603, message: `This program failed: ${reasonOf(failure)}` };
  const error = failure instanceof Failure ? failure.error : failure instanceof AtelierError ? broken : fault;
  if (unanswered.size === 0) printMessage(io, `atelier mcp: ${error.message}`);
  for (const id of unanswered) writeError(io, id, error);
}

/** `fetch` puts the reason into `cause`, with a code if it tried several addresses. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = error as Error & { code?: string };
  return cause instanceof Error ? reasonOf(cause) : message || code || 'no answer';
}

const write = (io: Io, message: object): void => void io.stdout.write(`${JSON.stringify(message)}\n`);
const writeError = (io: Io, id: Id | null, error: RpcError): void => write(io, { jsonrpc: '2.0', id, error });
