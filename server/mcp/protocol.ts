import { version } from '../../contract/version.ts';

export const serverInfo = { name: 'atelier', title: 'Atelier', version };

// The protocol library has these constants too, but costs 30 MB before anybody needs it. A test compares
// them.

/** The version without sessions; the versions before it follow. */
export const modern = '2026-07-28';
export const earlierVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** The keys in a message's `_meta`. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
};
