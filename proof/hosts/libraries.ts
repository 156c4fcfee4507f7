import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { importBlock } from './guide.ts';
import type { Connected, Connecting } from './hosts.ts';

// Their types come with their packages, which `npm ci --prefix proof` does not install.
// oxlint-disable-next-line typescript/no-explicit-any
type Untyped = any;
type Program = { connect(access: object): Promise<Untyped>; auth(provider: OAuthClientProvider, to: object): unknown };

const headersOf = (key: string) => ({ Authorization: `Bearer ${key}` });
/** What a program stores, as the chapter says. `sent` is where it has sent the person. */
async function createStore(chapter: string, clientId: string) {
  const fixed = (program: string) => program.replace('YOUR_CLIENT_ID', clientId);
  const { createProvider } = (await importBlock(chapter, 'What your program stores', fixed)) as Untyped;
  const store: { sent?: URL } = {};
  const provider = createProvider((url: URL) => void (store.sent = url)) as OAuthClientProvider;
  return { store, provider };
}

type Library = {
  name: string;
  /** The section of the chapter, if it has another name, and how its program becomes that of this library. */
  section?: string;
  from?: (program: string) => string;
  /** At an order where the person allowed only reading. */
  readOnly: string;
  /** Where headers stand in the options of its transport. */
  withHeaders: (headers: object) => object;
  connected: (client: Untyped) => Connected;
};

const textOf = (content: { text?: string }[]): unknown => JSON.parse(content[0]?.text ?? 'null');

const inRequest = (headers: object) => ({ requestInit: { headers } });

/** What the chapter says of 1.x. */
const fromOlder = (program: string): string =>
  program
    .replace('Client, StreamableHTTPClientTransport', 'StreamableHTTPClientTransport')
    .replace("'@modelcontextprotocol/client'", "'@modelcontextprotocol/sdk/client/streamableHttp.js'")
    .replace("'@modelcontextprotocol/client'", "'@modelcontextprotocol/sdk/client/auth.js'")
    .concat("import { Client } from '@modelcontextprotocol/sdk/client/index.js';");

const official = (client: Untyped): Connected => ({
  list: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
  call: async (name, args = {}) => textOf((await client.callTool({ name, arguments: args })).content),
  close: () => client.close(),
});

const libraries: Library[] = [
  { name: 'Official client', readOnly: 'Unauthorized', withHeaders: inRequest, connected: official },
  {
    name: 'Official client 1.x',
    section: 'Official client',
    from: fromOlder,
    readOnly: 'Server returned 403 after trying upscoping',
    withHeaders: inRequest,
    connected: official,
  },
  {
    name: 'AI SDK',
    readOnly: 'insufficient_scope',
    withHeaders: (headers) => ({ headers }),
    connected: (client) => ({
      list: async () => Object.keys(await client.tools()),
      async call(name, args = {}) {
        const tool = (await client.tools())[name];
        return textOf((await tool.execute(args, { toolCallId: 'call-1', messages: [] })).content);
      },
      close: () => client.close(),
    }),
  },
  {
    name: 'LangChain',
    readOnly: 'Server returned 403 after trying upscoping',
    withHeaders: (headers) => ({ headers }),
    connected: (client) => ({
      list: async () => (await client.getTools()).map(({ name }: { name: string }) => name),
      async call(name, args = {}) {
        const tools: Untyped[] = await client.getTools();
        return JSON.parse((await tools.find((tool) => tool.name === name).invoke(args)).text) as unknown;
      },
      close: () => client.close(),
    }),
  },
  {
    name: 'OpenAI Agents',
    readOnly: 'Unauthorized',
    withHeaders: inRequest,
    connected: (server) => ({
      list: async () => (await server.listTools()).map(({ name }: { name: string }) => name),
      call: async (name, args = {}) => textOf(await server.callTool(name, args)),
      close: () => server.close(),
    }),
  },
];

export const libraryRows = libraries.flatMap(
  ({ name, section = name, from, readOnly, withHeaders, connected }): Connecting[] => [
    {
      name,
      way: 'by key',
      ended: 'This API key was revoked',
      async prepare({ chapter, key }) {
        const program = (await importBlock(chapter, section, from)) as Program;
        return async () => connected(await program.connect(withHeaders(headersOf(await key()))));
      },
    },
    {
      name,
      way: 'by OAuth',
      ended: 'Unauthorized',
      readOnly,
      async prepare({ chapter, document, allow }) {
        const program = (await importBlock(chapter, section, from)) as Program;
        const { store, provider } = await createStore(chapter, document);
        return async () => {
          try {
            if (store.sent === undefined) return connected(await program.connect({ authProvider: provider }));
          } catch (error) {
            if (store.sent === undefined) throw error;
          }
          const back = await allow(String(store.sent));
          const serverUrl = /https?:\S+\/mcp/.exec(chapter)?.[0] ?? '';
          const authorizationCode = back.searchParams.get('code');
          await program.auth(provider, { serverUrl, authorizationCode, iss: back.searchParams.get('iss') });
          delete store.sent;
          return connected(await program.connect({ authProvider: provider }));
        };
      },
    },
  ],
);
