export const serverInfo = { name: 'atelier', title: 'Atelier', version: '1.0.0' };

// The library of the protocol has these words too, but costs 30 MB where nobody needs it yet. A test compares them.

/** The version without sessions, and those before it. */
export const modern = '2026-07-28';
export const earlierVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** What a message tells of itself, by the names in its `_meta`. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
};
