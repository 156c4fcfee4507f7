import type { Server } from '@modelcontextprotocol/server';
import { callTool, type From, type ToolAnswer } from './call.ts';
import type { Connection, ServerDependencies } from './server.ts';
import { toolEndpoints } from './tools.ts';

export type Offer = {
  serverOf(connection: Connection): Promise<Server>;
  /** Null if there is no such tool. */
  call(from: From, name: string, args: unknown): Promise<ToolAnswer> | null;
};

/** Loads the protocol library at the first request that needs it. */
export const createOffer = (dependencies: ServerDependencies): Offer => ({
  serverOf: async (connection) => (await import('./server.ts')).createServer(dependencies, connection),
  call(from, name, args) {
    const endpoint = toolEndpoints.get(name);
    return endpoint ? callTool(dependencies, from, endpoint, args) : null;
  },
});
