import type { IncomingHttpHeaders } from 'node:http';
import { weightsOf } from '../http/accept.ts';
import type { ToolAnswer } from './call.ts';
import { askingTools } from './tools.ts';
import { earlierVersions, isObject, metaKeys, modern, serverInfo } from './protocol.ts';

/**
 * An ordinary tool call, as most messages are. For each message the SDK builds a server, a transport and a
 * stream, which costs more than the call itself. So ordinary calls are answered here, exactly as the SDK
 * would: docs/decisions/0019-agents-by-mcp.md
 */
export type PlainCall = { id: string | number; name: string; args: unknown; isModern: boolean };

/** Null for every other or faulty message: the SDK reads those. */
export function readPlainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | null {
  if (!isObject(message)) return null;
  const { jsonrpc, id, method, params, ...more } = message;
  if (jsonrpc !== '2.0' || !isId(id) || method !== 'tools/call' || !isObject(params) || !isEmpty(more)) return null;
  const { name, arguments: args = {}, _meta: meta = {}, ...unusual } = params;
  if (typeof name !== 'string' || !isObject(meta) || !isEmpty(unusual)) return null;
  const { 'mcp-protocol-version': version, 'mcp-method': toMethod, 'mcp-name': toName } = headers;
  const isModern = version === modern;
  if (isModern && mayAsk(name, meta)) return null;
  if (isModern) return toMethod === method && toName === name && isEnvelope(meta) ? { id, name, args, isModern } : null;
  const isKnown = typeof version === 'string' && earlierVersions.includes(version);
  const isClaimed = Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'));
  return isKnown && !isClaimed ? { id, name, args, isModern } : null;
}

/** Whether the answer may be a question to the person of the client. */
const mayAsk = (name: string, { [metaKeys.clientCapabilities]: capabilities }: Record<string, unknown>) =>
  askingTools.has(name) && isObject(capabilities) && 'elicitation' in capabilities;

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id);
/** Capabilities are objects that contain only objects. */
const areObjects = (value: Record<string, unknown>) =>
  Object.values(value).every((capability) => isObject(capability) && Object.values(capability).every(isObject));
const isEmpty = (value: object) => Object.keys(value).length === 0;

/** Whether this is the envelope of a 2026 message. */
function isEnvelope(meta: Record<string, unknown>): boolean {
  const {
    [metaKeys.protocolVersion]: version,
    [metaKeys.clientCapabilities]: capabilities,
    [metaKeys.clientInfo]: client,
    ...unusual
  } = meta;
  const isClient = isObject(client) && typeof client['name'] === 'string' && typeof client['version'] === 'string';
  return version === modern && isObject(capabilities) && areObjects(capabilities) && isClient && isEmpty(unusual);
}

const modernEnd = (title: string) =>
  JSON.stringify({ resultType: 'complete', _meta: { [metaKeys.serverInfo]: serverInfo(title) } }).slice(1, -1);

/** An answer of the SDK, which is an event stream, for a client that takes only JSON. */
export function jsonOf(stream: string): string {
  const messages = [...stream.matchAll(/^data: (.+)$/gm)].map(([, message = '']) => message);
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join()}]`;
}

export const streamOf = (message: string): string => `event: message\ndata: ${message}\n\n`;

/** What a client takes. One that names neither takes JSON, so none is refused. */
export function formsOf(accept?: string): { json: boolean; stream: boolean } {
  const weights = weightsOf(accept);
  const takes = (...types: string[]) => types.some((type) => (weights.get(type) ?? 0) > 0);
  const stream = takes('text/event-stream');
  return { json: !stream || takes('application/json', 'application/*', '*/*'), stream };
}

export function plainAnswer({ id, isModern }: PlainCall, { text, image, isError }: ToolAnswer, title: string): string {
  const block = image ? `,${JSON.stringify(image)}` : '';
  const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}${block}]`;
  const result = isError ? '"isError":true' : `"structuredContent":${text}`;
  return `{"result":{${content},${result}${isModern ? `,${modernEnd(title)}` : ''}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
