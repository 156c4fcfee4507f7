import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService } from '../support/harness.ts';
import { createStudio, draft, makeMoves, newCustomer, newJob, type Studio } from '../support/jobs.ts';
import { call, connectByCommand, connectOldByCommand, startCommand } from '../support/mcp.ts';
import { hasProof } from '../support/proof.ts';
import { makeKey } from '../support/people.ts';
import { createProxy } from '../support/proxy.ts';

/** `atelier mcp` where something ends, breaks or is wrong. */

let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const listenTo = (uri: string) => ({
  id: 'listen:1',
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: [uri] }, _meta: meta },
});
const callOf = (id: number, name: string, args: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: meta },
});

describe('a subscription', () => {
  test('is released when it is closed: seven in turn by one key', async () => {
    const { service, ada } = studio;
    const client = await connectByCommand(service, await makeKey(service, ada));
    const uri = `atelier://jobs/${await newJob(service, studio.key)}`;
    for (let n = 0; n < 7; n++) {
      const subscription = await client.listen({ resourceSubscriptions: [uri] });
      await subscription.close();
    }
    await expect.poll(() => service.context.streams.callers().length).toBe(0);
    expect((await call(client, 'get_account')).isError).toBe(false);
    await client.close();
  });

  test('tells what changes, until its client closes it', async () => {
    const { service, key } = studio;
    const id = await newJob(service, key);
    const client = await connectByCommand(service, key);
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    const subscription = await client.listen({ resourceSubscriptions: [`atelier://jobs/${id}`] });
    await makeMoves(studio, id, 'accept');
    await expect.poll(() => updated).toEqual([`atelier://jobs/${id}`]);
    await subscription.close();
    expect(await subscription.closed).toBe('local');
    await client.close();
  });

  test('ends for its client when the service stops, by messages of the protocol only', async () => {
    const service = await createService();
    const { key } = await newCustomer(service);
    const client = await connectByCommand(service, key);
    const errors: Error[] = [];
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is no EventTarget
    client.onerror = (error) => void errors.push(error);
    const subscription = await client.listen({ resourceSubscriptions: ['atelier://jobs/job_none'] });
    await service.close();
    expect(await subscription.closed).toBe('remote');
    expect(errors).toEqual([]);
    await client.close();
  });

  test('ends for its client when the connection breaks off', async () => {
    const { service, key } = studio;
    const proxy = await createProxy(service.url);
    const client = await connectByCommand(proxy, key);
    const subscription = await client.listen({ resourceSubscriptions: ['atelier://jobs/job_none'] });
    proxy.cut();
    expect(await subscription.closed).toBe('remote');
    expect((await call(client, 'get_account')).isError).toBe(false);
    await client.close();
    await proxy.close();
  });

  test('ends with the input', async () => {
    const { service, key } = studio;
    const command = startCommand(service, key);
    command.send(listenTo('atelier://jobs/job_none'));
    expect((await command.read()).method).toBe('notifications/subscriptions/acknowledged');
    expect(await command.end()).toEqual([]);
    await expect.poll(() => service.context.streams.callers().length).toBe(0);
  });
});

test('a call is answered after the end of input, also by a service that takes two seconds', async () => {
  const { service, key } = studio;
  const proxy = await createProxy(service.url);
  const command = startCommand(proxy, key);
  proxy.freeze();
  command.send(callOf(1, 'get_account', {}));
  setTimeout(proxy.thaw, 2_000);
  const [answer = 'null'] = await command.end();
  expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { structuredContent: { account: {} } } });
  await proxy.close();
});

test('a call that is cancelled ends at the service, and is not answered', async () => {
  const { service, key } = studio;
  const command = startCommand(service, key);
  command.send(callOf(1, 'wait_for_events', { after: await latest(), wait: 25 }));
  await expect.poll(() => service.context.waits.callers().length).toBe(1);
  command.send({ method: 'notifications/cancelled', params: { requestId: 1, _meta: meta } });
  await expect.poll(() => service.context.waits.callers().length).toBe(0);
  command.send(callOf(2, 'get_account', {}));
  expect((await command.read()).id).toBe(2);
  expect(await command.end()).toEqual([]);
});

const latest = async () =>
  (await studio.service.call('GET', '/api/v1/events?limit=1', { as: studio.key })).body.latest as number;

test.each([
  ['null', -32600],
  ['5', -32600],
  ['"tools/list"', -32600],
  ['{}', -32600],
  ['[]', -32600],
  ['[null]', -32600],
  ['{"jsonrpc":"2.0","id":7,"method":5}', -32600],
  ['tools/list', -32700],
  ['{"jsonrpc":', -32700],
])('%s is answered by an error, and the next message as ever', async (line, code) => {
  const command = startCommand(studio.service, studio.key);
  command.write(`${line}\n`);
  expect(await command.read()).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } });
  command.send({ id: 8, method: 'tools/list', params: { _meta: meta } });
  expect((await command.read()).id).toBe(8);
  expect(await command.end()).toEqual([]);
});

test('an error of a message that the service does not read has the id of the message', async () => {
  const command = startCommand(studio.service, studio.key);
  command.write('{"jsonrpc":"2.0","id":7,"method":"tools/list","method":"tools/list"}\n');
  expect(await command.read()).toMatchObject({ id: 7, error: { code: -32700 } });
  expect(await command.end()).toEqual([]);
});

test('a batch, as 2025-03-26 has them, is answered whole', async () => {
  const command = startCommand(studio.service, studio.key);
  const messages = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  command.write(`${JSON.stringify(messages)}\n`);
  const answers = [await command.read(), await command.read()].flat();
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
  expect(await command.end()).toEqual([]);
});

test('a text with the line separators of Unicode is one message', async () => {
  const client = await connectByCommand(studio.service, studio.key);
  const { body } = await call(client, 'check_intent', {
    ...draft,
    customer_instructions: 'A logo.\u2028Two lines.\u2029And a third.',
  });
  expect(body.intent_check).toBeDefined();
  await client.close();
});

describe.each([
  ['the client of today', connectByCommand],
  ...(hasProof ? [['the older client', connectOldByCommand] as const] : []),
] as const)('%s', (_, connectAs) => {
  test.each(['no_such_tool', 'café', '道具', 'two\nlines', ' space ', '=?base64?eA==?='])(
    'there is no tool %j',
    async (name) => {
      const client = await connectAs(studio.service, studio.key);
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(`There is no tool ${name}.`);
      await client.close();
    },
  );

  test('401 unauthenticated, in the words of the service', async () => {
    const refused = await connectAs(studio.service, 'atl_wrong').catch((error: unknown) => String(error));
    expect(refused).toContain('A valid credential is required');
    expect(refused).not.toContain('reached');
  });
});

test('429 rate_limit_exceeded, in the words of the service and with the seconds to wait', async () => {
  const { service, ada } = studio;
  const key = await makeKey(service, ada);
  const command = startCommand(service, key);
  for (let n = 0; n < 6; n++) {
    command.send({ ...listenTo('atelier://jobs/job_none'), id: n });
    const told = await command.read();
    if (n < 5) expect(told.method).toBe('notifications/subscriptions/acknowledged');
    else
      expect(told).toEqual({
        jsonrpc: '2.0',
        id: 5,
        error: {
          code: -32000,
          message: expect.stringMatching(/^Each process allows 5 streams per key at a time\. Close a stream/),
          data: expect.objectContaining({ code: 'rate_limit_exceeded', retry_after_seconds: 30 }),
        },
      });
  }
  await command.end();
});

test('a service that cannot be reached, and a proxy that answers in its place', async () => {
  const proxy = createServer((_, answer) => answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>'));
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const command = startCommand({ url }, 'atl_any');
  command.send({ id: 1, method: 'tools/list' });
  expect((await command.read()).error.message).toBe('The service answered 502.');
  proxy.close();
  proxy.closeAllConnections();
  command.send({ id: 2, method: 'tools/list' });
  expect((await command.read()).error.message).toMatch(/^The service cannot be reached: .*ECONNREFUSED/);
  await command.end();
});
