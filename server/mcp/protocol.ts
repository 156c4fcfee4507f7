import { version } from '../lib/version.ts';

/** The title is the name of the studio. */
export const serverInfo = (title: string) => ({ name: 'atelier', title, version });

// The library's constants, which would cost 30 MB to load. A test compares both.

/** The version without sessions; the versions before it follow. */
export const modern = '2026-07-28';
export const earlierVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
};

export type Arguments = Record<string, unknown>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
