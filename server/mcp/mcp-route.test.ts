import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { createService } from '../../test/support/harness.ts';
import { sharedStudio, makeMoves, newCustomer, newJob, type Studio } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import { call, connect, connectLegacy, connectOld, sendMessage } from '../../test/support/mcp.ts';
import { hasProof } from '../../test/support/proof.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const list = { method: 'tools/list' };

describe('the door', () => {
  test('401 unauthenticated, with a challenge: no credential, a wrong one, a cookie', async () => {
    const { service, ada } = studio;
    for (const answer of [
      await sendMessage(service, null, list),
      await sendMessage(service, 'atl_wrong', list),
      await sendMessage(service, null, list, { cookie: ada.cookie }),
    ]) {
      expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([401, 'unauthenticated']);
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^Bearer\b.*resource_metadata="http[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/,
      );
    }
  });

  test.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['an origin that is none', { origin: 'null' }],
  ])('403 csrf_token_invalid: %s', async (_, headers) => {
    const answer = await sendMessage(studio.service, studio.key, list, headers);
    expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([403, 'csrf_token_invalid']);
  });

  test('403 csrf_token_invalid: the host has a name that is not ours', async () => {
    const { service, key } = studio;
    const headers = { host: 'evil.example', authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${service.url}/mcp`, { method: 'POST', headers }, (answer) => resolve(answer.statusCode));
      sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...list }));
    });
    expect(status).toBe(403);
  });

  test('405 method_not_allowed: there are no sessions to read or end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await studio.service.call(method, '/mcp', { as: studio.key });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test.each([
    ['', -32700],
    ['{', -32700],
    ['{"a":1,"a":2}', -32700],
    ['['.repeat(40), -32700],
    ['5', -32600],
    ['null', -32600],
    ['{}', -32600],
    ['[]', -32600],
  ])('400 with an error of the protocol for %j, which is no message', async (body, code) => {
    const { service, key } = studio;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const accept = 'application/json, text/event-stream';
    const answer = await fetch(`${service.url}/mcp`, { method: 'POST', headers: { ...headers, accept }, body });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, expect.stringContaining('json')]);
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code, message: expect.any(String) },
    });
  });

  test('a tool that does not exist, and a method that does not, are errors of the protocol', async () => {
    const { service, key } = studio;
    const client = await connect(service, key);
    await expect(client.callTool({ name: 'delete_account', arguments: {} })).rejects.toThrow('There is no tool');
    await client.close();
    const { text } = await sendMessage(service, key, { method: 'no/such' });
    expect(text).toContain('-32601');
  });

  test('rate_limit_exceeded reaches the model, with the seconds to wait', async () => {
    const service = await createService({ RATE_MCP_CALL: 'key=2/60' });
    const { key } = await newCustomer(service);
    const client = await connect(service, key);
    for (let n = 0; n < 2; n++) expect((await call(client, 'get_account')).isError).toBe(false);
    const told = await call(client, 'get_account');
    expect(told).toMatchObject({ isError: true, body: { code: 'rate_limit_exceeded' } });
    expect(told.body.retry_after_seconds).toBeGreaterThan(0);
    await client.close();
    await service.close();
  });

  test('a public operation counts the key and not the address, which a host has for many people', async () => {
    const service = await createService({ RATE_READ_PUBLIC: 'address=2/60' });
    for (let person = 0; person < 2; person++) {
      const client = await connect(service, (await newCustomer(service)).key);
      for (let n = 0; n < 2; n++) expect((await call(client, 'get_catalog')).isError).toBe(false);
      expect((await call(client, 'get_catalog')).body.code).toBe('rate_limit_exceeded');
      await client.close();
    }
    await service.close();
  });
});

describe.each([
  ['the client of today', connect],
  ['the client of today in the era of 2025', connectLegacy],
  ...(hasProof ? [['the older client', connectOld] as const] : []),
] as const)('%s', (_, connectAs) => {
  test('is told how to order, and finds resources and prompts', async () => {
    const { service, key } = studio;
    const client = await connectAs(service, key);
    expect(client.getInstructions()).toContain('get_catalog');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['atelier://catalog', 'atelier://guide/errors']),
    );
    for (const { uri } of resources) {
      const [content] = (await client.readResource({ uri })).contents;
      expect(content && 'text' in content && content.text.length, uri).toBeGreaterThan(100);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['atelier://jobs/{id}']);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['order_work', 'review_delivery']);
    const prompt = await client.getPrompt({ name: 'order_work', arguments: { goal: 'A logo for a bakery' } });
    expect(JSON.stringify(prompt.messages)).toContain('A logo for a bakery');
    await expect(client.getPrompt({ name: 'order_work' })).rejects.toThrow('goal is required');
    await client.close();
  });

  test('reads its jobs as resources, and not those of others', async () => {
    const { service, key } = studio;
    const id = await newJob(service, key);
    const client = await connectAs(service, key);
    const [content] = (await client.readResource({ uri: `atelier://jobs/${id}` })).contents;
    expect(JSON.parse((content as { text: string }).text).job.id).toBe(id);
    await client.close();
    const { key: other } = await newCustomer(service);
    const stranger = await connectAs(service, other);
    await expect(stranger.readResource({ uri: `atelier://jobs/${id}` })).rejects.toThrow('There is no such job.');
    await stranger.close();
  });
});

describe('subscriptions', () => {
  /** Subscribes to a job and collects the updates by URI. */
  async function listen(key: string, id: string) {
    const client = await connect(studio.service, key);
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    const subscription = await client.listen({ resourceSubscriptions: [`atelier://jobs/${id}`] });
    return { client, updated, subscription };
  }

  test('a subscriber hears of changes to its job; another account hears nothing', async () => {
    const { service, key } = studio;
    const id = await newJob(service, key);
    const { key: other } = await newCustomer(service);
    const [owner, stranger] = [await listen(key, id), await listen(other, id)];
    await newJob(service, key); // another job of the account, without a subscription
    await makeMoves(studio, id, 'accept');
    await expect.poll(() => owner.updated).toEqual([`atelier://jobs/${id}`]);
    await wait(300);
    expect(stranger.updated).toEqual([]);
    for (const { client, subscription } of [owner, stranger]) {
      await subscription.close();
      await client.close();
    }
    await expect.poll(() => service.context.streams.callers().length).toBe(0);
  });

  test('it ends soon after its key is revoked', async () => {
    const { service, ada } = studio;
    const key = await makeKey(service, ada);
    const { client, subscription } = await listen(key, await newJob(service, studio.key));
    const { body } = await service.call('GET', '/api/v1/api-keys', { as: ada.token });
    const { id } = body.api_keys.find(({ prefix }: { prefix: string }) => key.includes(prefix));
    const began = Date.now();
    expect((await service.call('DELETE', `/api/v1/api-keys/${id}`, { as: ada.token })).status).toBe(200);
    expect(await subscription.closed).toBe('remote');
    expect(Date.now() - began).toBeLessThan(20_000);
    await client.close();
  });

  test('429 rate_limit_exceeded: a sixth one by one key', async () => {
    const { service, ada } = studio;
    const key = await makeKey(service, ada);
    const id = await newJob(service, key);
    const open = [];
    for (let n = 0; n < 5; n++) open.push(await listen(key, id));
    await expect(listen(key, id)).rejects.toThrow();
    for (const { client } of open) await client.close();
  });
});
