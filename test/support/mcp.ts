import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport as StdioTransport } from '@modelcontextprotocol/server/stdio';
import type { ClientCapabilities, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { run } from '../../client/cli/run.ts';
import { start } from './command-line.ts';
import type { Service } from './harness.ts';
import { importProof } from './proof.ts';

const info = { name: 'test', version: '1.0.0' };
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });
type At = Pick<Service, 'url'>;

/** The current official client. It uses the 2026 protocol if the server supports it. */
export async function connect({ url }: At, key: string, path = '/mcp'): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path), withKey(key)));
  return client;
}

type Question = ElicitRequest['params'];
type Offer = NonNullable<ClientCapabilities['elicitation']>;

/** A client that asks its person, whose replies come from `reply`. Its questions are collected. */
export async function connectWithPerson(
  service: At,
  key: string,
  reply: (question: Question) => ElicitResult | Promise<ElicitResult>,
  {
    path = '/mcp',
    offer = { form: {}, url: {} },
    byCommand = false,
  }: { path?: string; offer?: Offer; byCommand?: boolean } = {},
) {
  const client = new Client(info, {
    versionNegotiation: { mode: 'auto' },
    capabilities: { elicitation: offer },
  });
  const questions: Question[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params);
    return reply(params);
  });
  const http = new StreamableHTTPClientTransport(new URL(service.url + path), withKey(key));
  await client.connect(byCommand ? commandOf(StdioTransport, service, key) : http);
  return { client, questions };
}

/** The same client with its defaults, which use the 2025 protocol. */
export async function connectLegacy({ url }: At, key: string, path = '/mcp'): Promise<Client> {
  const client = new Client(info);
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path), withKey(key)));
  return client;
}

/** The older official client, which most hosts still use. It comes with `proof/`. */
type OlderClient = {
  StreamableHTTPClientTransport: new (url: URL, options: ReturnType<typeof withKey>) => StreamableHTTPClientTransport;
  StdioServerTransport: Ends<StdioTransport>;
  connect(transport: StreamableHTTPClientTransport | StdioTransport): Promise<Client>;
};
const olderClient = async () => (await importProof('older-client.ts')) as OlderClient;
export async function connectOld({ url }: At, key: string, path = '/mcp'): Promise<Client> {
  const older = await olderClient();
  return older.connect(new older.StreamableHTTPClientTransport(new URL(url + path), withKey(key)));
}

const startMcp = ({ url }: At, key: string) =>
  start(run, ['mcp'], { env: { XDG_CONFIG_HOME: '/nonexistent', ATELIER_URL: url, ATELIER_KEY: key } });

type Ends<T> = new (input: Readable, output: Writable) => T;

/** Joins a client to the standard input and output of `atelier mcp`. Closing it ends the input. */
function commandOf<T extends { close(): Promise<void> }>(Transport: Ends<T>, service: At, key: string): T {
  const { stdin, stdout, stderr, ended } = startMcp(service, key);
  stderr.resume();
  const transport = new Transport(stdout, stdin);
  const close = transport.close.bind(transport);
  transport.close = async () => {
    stdin.end();
    expect(await ended).toBe(0);
    await close();
  };
  return transport;
}

/** The same client over the standard input and output of `atelier mcp`. */
export async function connectByCommand(service: At, key: string): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await client.connect(commandOf(StdioTransport, service, key));
  return client;
}

/** The older client over standard input and output. */
export async function connectOldByCommand(service: At, key: string): Promise<Client> {
  const older = await olderClient();
  return older.connect(commandOf(older.StdioServerTransport, service, key));
}

/** `atelier mcp` without a client: writes raw input and reads its output by line. */
export function startCommand(service: At, key: string) {
  const { stdin, stdout, stderr, ended } = startMcp(service, key);
  stderr.resume();
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    ended,
    write: (text: string) => void stdin.write(text),
    send: (message: object) => void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    // oxlint-disable-next-line typescript/no-explicit-any
    read: async (): Promise<any> => JSON.parse((await lines.next()).value as string),
    /** Closes its input, which ends the program, and returns the lines not read yet. */
    async end(): Promise<string[]> {
      stdin.end();
      const rest = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) rest.push(line.value);
      expect(await ended).toBe(0);
      return rest;
    },
  };
}

// Tests read any field of an answer. Each is checked against the document of its HTTP route.
// oxlint-disable-next-line typescript/no-explicit-any
export type ToolAnswer = { isError: boolean; body: any };

/** Calls a tool and expects that the data and the text of its answer agree. */
export async function call(client: Client, name: string, args: object = {}): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const [content] = result.content;
  const body: unknown = JSON.parse(content?.type === 'text' ? content.text : 'null');
  const isError = result.isError === true;
  if (isError) expect(result.structuredContent).toBeUndefined();
  else expect(result.structuredContent).toEqual(body);
  return { isError, body };
}

/** Sends one message by plain HTTP. */
export async function sendMessage(
  { url }: At,
  key: string | null,
  message: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}
