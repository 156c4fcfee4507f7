import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type StdioServerParameters, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The older official client of MCP, for `test/support/mcp.ts`. */
const info = { name: 'test', version: '1.0.0' };

export async function connectByHttp(url: URL, options: StreamableHTTPClientTransportOptions): Promise<Client> {
  const client = new Client(info);
  await client.connect(new StreamableHTTPClientTransport(url, options));
  return client;
}

export async function connectByStdio(command: StdioServerParameters): Promise<Client> {
  const client = new Client(info);
  await client.connect(new StdioClientTransport(command));
  return client;
}
