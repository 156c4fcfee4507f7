import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getToolUiResourceUri, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { FrameLocator, Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import type { Service } from './start-service.ts';

type Call = { name: string; args: Record<string, unknown> };

export type McpHost = {
  /** The page of the tool. */
  view: FrameLocator;
  /** The calls that the page made, which a host would have its person confirm. */
  calls: Call[];
  /** What the page told the model, and the addresses that it had opened. */
  told: string[];
  opened: string[];
  close(): Promise<void>;
};

type Options = {
  theme?: 'light' | 'dark';
  isMute?: boolean;
  /** Holds back the answers to calls of the page. */
  until?: Promise<void>;
};

/** Calls a tool of the service and shows its page, under the policy that the resource asks for. */
export async function openInHost(page: Page, service: Service, key: string, call: Call, options: Options = {}) {
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  const result = await client.callTool({ name: call.name, arguments: call.args });
  const server = await serve(await readView(client, call.name));
  const heard: Pick<McpHost, 'calls' | 'told' | 'opened'> = { calls: [], told: [], opened: [] };
  await page.exposeFunction('shown', () => ({
    args: call.args,
    result,
    theme: options.theme ?? 'light',
    isMute: options.isMute ?? false,
  }));
  await page.exposeFunction('callTool', async (name: string, args: Call['args']) => {
    heard.calls.push({ name, args });
    await options.until;
    return client.callTool({ name, arguments: args });
  });
  await page.exposeFunction('hear', (kind: 'told' | 'opened', text: string) => void heard[kind].push(text));
  await page.goto(server.url);
  return {
    ...heard,
    view: page.frameLocator('iframe'),
    close: async () => {
      server.close();
      await client.close();
    },
  } satisfies McpHost;
}

type View = { html: string; origins: string[] };

async function readView(client: Client, name: string): Promise<View> {
  const { tools } = await client.listTools();
  const tool = tools.find((candidate) => candidate.name === name);
  const uri = tool && getToolUiResourceUri(tool);
  if (uri === undefined) throw new Error(`${name} has no page.`);
  const [content] = (await client.readResource({ uri })).contents;
  if (!content || !('text' in content) || content.mimeType !== RESOURCE_MIME_TYPE)
    throw new Error(`${uri} is no page.`);
  const { text, _meta: meta } = content;
  const { ui } = meta as { ui: { csp: { resourceDomains: string[] } } };
  return { html: text, origins: ui.csp.resourceDomains };
}

/** As the specification has it for these origins, and nothing for the network. */
const policy = (origins: string[]) =>
  [
    "default-src 'none'",
    `script-src 'unsafe-inline' ${origins.join(' ')}`,
    `style-src 'unsafe-inline' ${origins.join(' ')}`,
    `img-src data: ${origins.join(' ')}`,
    "connect-src 'none'",
    "base-uri 'self'",
  ].join('; ');

async function serve({ html, origins }: View) {
  const script = await (bundled ??= bundleHost());
  const host = `<!doctype html><html lang="en"><title>Host</title><style>body{margin:0}iframe{display:block;width:100%;border:0}</style><body><script type="module">${script}</script>`;
  const server = createServer((request, answer) => {
    const isView = request.url === '/view';
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    if (isView) answer.setHeader('content-security-policy', policy(origins));
    answer.end(isView ? html : host);
  }).listen(0);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}/`, close };
}

let bundled: Promise<string> | null = null;

async function bundleHost(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input: join(import.meta.dirname, 'mcp-host-page.ts') } },
  })) as Rolldown.RolldownOutput;
  // Vite sets it for this whole process, and services that tests start later would refuse their stand-ins.
  delete process.env.NODE_ENV;
  return output[0].code.replaceAll('</script', '<\\/script');
}
