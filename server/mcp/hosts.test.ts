import { beforeAll, describe, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { sendMessage } from '../../test/support/mcp.ts';
import { listTools } from './tools.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const version = { 'mcp-protocol-version': '2025-11-25' };
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const usage = { method: 'tools/call', params: { name: 'get_usage', arguments: {} } };

describe('whatever a client says that it accepts', () => {
  const json = /^application\/json/;
  const stream = /^text\/event-stream/;
  // `accept: ''` stands for none: fetch would send one of its own.
  test.each([
    ['', json, json],
    ['application/json', json, json],
    ['*/*', json, json],
    ['application/*', json, json],
    ['text/html', json, json],
    ['application/json, text/event-stream;q=0', json, json],
    ['text/event-stream', stream, stream],
    ['application/json, text/event-stream', stream, json],
    ['text/event-stream, application/json', stream, json],
  ])('%j is served', async (accept, form, plainForm) => {
    const { service, key } = studio;
    const answer = async (message: object, headers = {}) => {
      const { status, headers: got, text } = await sendMessage(service, key, message, { accept, ...headers });
      expect(status, text).toBe(200);
      const type = got.get('content-type') ?? '';
      const data = stream.test(type) ? (/^event: message\ndata: (.+)\n\n$/.exec(text)?.[1] ?? '') : text;
      return { type, result: JSON.parse(data).result };
    };
    for (const message of [initialize, { method: 'tools/list' }, usage]) {
      const { type, result } = await answer(message);
      expect(type).toMatch(form);
      expect(result).toBeTruthy();
    }
    const { type, result } = await answer(usage, version);
    expect(type).toMatch(plainForm);
    expect(result.structuredContent.usage).toBeTruthy();
  });

  test('/mcp/ is the same door', async () => {
    const { service, key } = studio;
    const at = { url: `${service.url}/mcp/?x=` }; // sendMessage appends /mcp
    const { status, text } = await sendMessage(at, key, { method: 'tools/list' }, { accept: '*/*' });
    expect([status, JSON.parse(text).result.tools.length]).toEqual([
      200,
      listTools({ readOnly: false, withOutput: false }).length,
    ]);
    const { status: refused, headers } = await sendMessage(at, null, { method: 'tools/list' });
    expect([refused, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('resource_metadata')]);
  });
});
