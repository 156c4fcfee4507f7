import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { importBlock } from './guide.ts';
import type { Connected, Connecting } from './hosts.ts';

// Their types come with their packages, which `npm ci --prefix proof` does not install.
// oxlint-disable-next-line typescript/no-explicit-any
type Untyped = any;
type Program = { connect(access: object): Promise<Untyped>; auth(provider: OAuthClientProvider, to: object): unknown };

const headersOf = (key: string) => ({ Authorization: `Bearer ${key}` });
const callback = 'http://127.0.0.1/callback';

/** What an app keeps between its requests. `asked` is where it has sent the person. */
function keepTokens(clientId: string) {
  const store: { client: object; asked?: URL; tokens?: unknown; verifier?: string } = {
    client: { client_id: clientId },
  };
  const provider = {
    redirectUrl: callback,
    clientMetadata: { client_name: 'Painter', redirect_uris: [callback] },
    state: () => 'state-1',
    clientInformation: () => store.client,
    saveClientInformation: (client: object) => void (store.client = client),
    tokens: () => store.tokens as never,
    saveTokens: (tokens: unknown) => void (store.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (store.asked = url),
    saveCodeVerifier: (verifier: string) => void (store.verifier = verifier),
    codeVerifier: () => store.verifier ?? '',
    invalidateCredentials: (scope: string) => void (scope !== 'verifier' && delete store.tokens),
  } as unknown as OAuthClientProvider;
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
        const { store, provider } = keepTokens(document);
        return async () => {
          try {
            if (store.asked === undefined) return connected(await program.connect({ authProvider: provider }));
          } catch (error) {
            if (store.asked === undefined) throw error;
          }
          const back = await allow(String(store.asked));
          const serverUrl = /https?:\S+\/mcp/.exec(chapter)?.[0] ?? '';
          const authorizationCode = back.searchParams.get('code');
          await program.auth(provider, { serverUrl, authorizationCode, iss: back.searchParams.get('iss') });
          delete store.asked;
          return connected(await program.connect({ authProvider: provider }));
        };
      },
    },
  ],
);
