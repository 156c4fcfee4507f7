import * as library from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedStudio, newJob, type Studio } from '../../test/support/jobs.ts';
import { sendMessage } from '../../test/support/mcp.ts';
import { readPlainCall } from './plain-call.ts';
import { earlierVersions, metaKeys } from './protocol.ts';

let studio: Studio;
let id: string;
beforeAll(async () => {
  studio = await sharedStudio();
  id = await newJob(studio.service, studio.key);
});

const accept = 'application/json, text/event-stream';
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { sampling: {}, elicitation: { form: {} } },
};
const eras = {
  2025: {
    headers: (_name: string) => ({ accept, 'mcp-protocol-version': '2025-11-25' }) as Record<string, string>,
    meta: {},
    unusual: { headers: {}, meta: { 'io.modelcontextprotocol/related-task': { taskId: 'x' } } },
  },
  2026: {
    headers: (name: string) => ({
      accept,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    }),
    meta: envelope,
    unusual: { headers: {}, meta: { ...envelope, progressToken: 1 } },
  },
};
const message = (name: string, args: object, meta: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args, _meta: meta },
});

describe.each(Object.entries(eras))('in the era of %s', (_, { headers, meta, unusual }) => {
  test.each([
    ['an answer', 'get_job', () => ({ job_id: id })],
    ['an error', 'get_job', () => ({ job_id: 'job_none' })],
  ])('%s is the one that the SDK gives', async (_of, name, args) => {
    const [plain, other] = [message(name, args(), meta), message(name, args(), unusual.meta)];
    expect(readPlainCall(headers(name), plain)).toEqual({ id: 7, name, args: args(), isModern: meta === envelope });
    expect(readPlainCall(headers(name), other)).toBeNull();
    const [ours, theirs] = [
      await sendMessage(studio.service, studio.key, plain, headers(name)),
      await sendMessage(studio.service, studio.key, other, headers(name)),
    ];
    const jsonOf = (text: string) => text.replace(/^event: message\ndata: |\n\n$/g, '').replace(/req_\w+/, 'req_…');
    expect([ours.status, ours.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(jsonOf(ours.text)).toBe(jsonOf(theirs.text));
  });

  test.each([
    ['another method', { method: 'tools/list' }],
    ['no id', { id: undefined }],
    ['a null id', { id: null }],
    ['another jsonrpc', { jsonrpc: '1.0' }],
    ['a field more', { extra: true }],
    ['no name', { params: { arguments: {}, _meta: meta } }],
    ['a task', { params: { name: 'get_job', arguments: {}, task: {}, _meta: meta } }],
  ])('the SDK answers what has %s', (_of, changes) => {
    expect(readPlainCall(headers('get_job'), { ...message('get_job', {}, meta), ...changes })).toBeNull();
  });

  test('the SDK answers where the version of the protocol is unknown', () => {
    const changed = { ...headers('get_job'), 'mcp-protocol-version': '1999-01-01' };
    expect(readPlainCall(changed, message('get_job', {}, meta))).toBeNull();
  });
});

test.each([
  ['the headers name another tool', { 'mcp-name': 'list_jobs' }, envelope],
  ['the headers name no method', { 'mcp-method': undefined }, envelope],
  [
    'a message of 2026 says that it is of 2025',
    {},
    { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2025-11-25' },
  ],
  ['capabilities are no objects', {}, { ...envelope, 'io.modelcontextprotocol/clientCapabilities': { sampling: 5 } }],
  ['it has no envelope', {}, {}],
])('the SDK answers where %s', (_, headers, meta) => {
  const sent = { ...eras[2026].headers('get_job'), ...headers };
  expect(readPlainCall(sent, message('get_job', {}, meta))).toBeNull();
});

test('the words of the protocol are those of its library', () => {
  expect(earlierVersions).toEqual(library.SUPPORTED_PROTOCOL_VERSIONS);
  expect(metaKeys).toEqual({
    protocolVersion: library.PROTOCOL_VERSION_META_KEY,
    clientCapabilities: library.CLIENT_CAPABILITIES_META_KEY,
    clientInfo: library.CLIENT_INFO_META_KEY,
    serverInfo: library.SERVER_INFO_META_KEY,
  });
});
