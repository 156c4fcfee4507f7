import type { Server } from '@modelcontextprotocol/server';
import { type Arguments, callTool, type From, type Told } from './call.ts';
import type { Connection, ServerParts } from './server.ts';
import { toolEndpoints } from './tools.ts';

export type Offer = {
  /** The server of one request. */
  serverOf(connection: Connection): Promise<Server>;
  /** Calls a tool without a server; null if there is no such tool. */
  call(from: From, name: string, args: Arguments): Promise<Told> | null;
};

/** What agents get. The protocol library is loaded at the first request that needs it. */
export const createOffer = (parts: ServerParts): Offer => ({
  serverOf: async (connection) => (await import('./server.ts')).createServer(parts, connection),
  call(from, name, args) {
    const endpoint = toolEndpoints.get(name);
    return endpoint ? callTool(parts, from, endpoint, args) : null;
  },
});
