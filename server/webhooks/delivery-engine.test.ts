import { sql } from 'kysely';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeMoves, newCustomer, newJob, setPlan, waysTo } from '../../test/support/jobs.ts';
import { createReceiver } from '../../test/support/receiver.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';
import { checkFailingEndpoints } from './check-failing-endpoints.ts';
import { createReceiverRules } from './receiver-address.ts';
import { postDelivery } from './post-delivery.ts';
import { secondsToRetry } from './retry-schedule.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const within = { timeout: 30_000 };
const anyTime = new AbortController().signal;

/** Skips the time until the next attempts; deliveries under way are unaffected. */
const passTime = () =>
  sql`update webhook_deliveries set due_at = now() where done_at is null and due_at > now() + interval '31 seconds'
    or (attempts > 0 and done_at is null and exists (select from webhook_attempts a where a.delivery_id = webhook_deliveries.id
      and a.attempt = webhook_deliveries.attempts))`.execute(studio.service.context.db);

const endpoints = async (key: string) =>
  (await studio.service.call('GET', '/api/v1/webhook-endpoints', { as: key })).body.webhook_endpoints;

test('an event waits for earlier events of its job, but not for other jobs', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  await newEndpoint(studio, {}, person.token);
  const [one, two] = [await newJob(studio.service, key), await newJob(studio.service, key)];
  let failures = 0;
  studio.receiver.received.length = 0;
  studio.receiver.answer(({ event }, response) => {
    const fails = event.job?.id === one && event.type === 'job.accepted' && failures < 2;
    if (fails) failures++;
    response.writeHead(fails ? 503 : 200).end();
  });
  const both = { ...studio, key };
  await makeMoves(both, one, ...waysTo.running);
  await makeMoves(both, two, ...waysTo.running);
  const types = (id: string) =>
    studio.receiver.received.filter(({ event }) => event.job?.id === id).map(({ event }) => event.type.slice(4));
  await vi.waitFor(() => expect(types(two)).toEqual(expect.arrayContaining(['accepted', 'started'])), within);
  expect(types(one)).not.toContain('started');
  await vi.waitFor(async () => {
    await passTime();
    expect(types(one).at(-1)).toBe('started');
  }, within);
  expect(types(one).filter((type) => type === 'accepted')).toHaveLength(3);
  studio.receiver.answer((_, response) => response.writeHead(204).end());
});

test('410 disables the endpoint with an event and keeps its cursor', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  studio.receiver.answer((_, response) => response.writeHead(410).end());
  await newJob(studio.service, key);
  await vi.waitFor(async () => expect(await endpoints(key)).toMatchObject([{ id, disabled_reason: 'gone' }]), within);
  const { body } = await studio.service.call('GET', '/api/v1/events?types=webhook_endpoint.disabled', { as: key });
  expect(body.events).toMatchObject([{ actor: 'service', data: { webhook_endpoint_id: id }, job: null }]);
  studio.receiver.answer((_, response) => response.writeHead(204).end());
});

test('owners are warned after a day of failures; after five days the endpoint is disabled', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  const { db } = studio.service.context;
  const subjects = () =>
    studio.service.emails
      .filter(({ to, subject }) => to === person.email && /webhook/.test(subject))
      .map(({ subject }) => subject);
  const check = () => checkFailingEndpoints(db, anyTime);
  const fail = (days: number, ago: number) =>
    sql`update webhook_endpoints set failing_since = now() - make_interval(days => ${days}, secs => 1),
      created_at = now() - make_interval(days => ${ago}, secs => 1) where account_id = ${person.accountId}`.execute(db);
  await fail(0, 30);
  await check();
  expect(subjects()).toEqual([]);
  await fail(1, 4);
  await check();
  await check();
  expect(await endpoints(key)).toMatchObject([{ id, enabled: true, failing_since: expect.any(String) }]);
  await expect.poll(subjects).toEqual(['A webhook endpoint is failing']);
  await fail(1, 5);
  await check();
  await check();
  expect(await endpoints(key)).toMatchObject([{ id, enabled: false, disabled_reason: 'failing' }]);
  await expect.poll(subjects).toEqual(['A webhook endpoint is failing', 'A webhook endpoint was disabled']);
});

test('a failed test or redelivery is not a failure of the endpoint, but a failed event is', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const { id } = await newEndpoint(studio, {}, person.token);
  const send = async (path: string) =>
    (await studio.service.call('POST', path, { as: person.token })).body.webhook_delivery.id as string;
  const deliveries = async () =>
    (await studio.service.call('GET', `/api/v1/webhook-endpoints/${id}/deliveries`, { as: key })).body
      .webhook_deliveries;
  await newJob(studio.service, key);
  await vi.waitFor(async () => expect(await deliveries()).toMatchObject([{ status: 'delivered' }]), within);
  studio.receiver.answer((_, response) => response.writeHead(500).end());
  const [delivered] = await deliveries();
  const sent = [
    await send(`/api/v1/webhook-endpoints/${id}/test`),
    await send(`/api/v1/webhook-deliveries/${delivered.id}/redeliver`),
  ];
  const ended = async () =>
    (await deliveries()).filter(
      ({ id: one, status }: { id: string; status: string }) => sent.includes(one) && status === 'dead',
    );
  await vi.waitFor(async () => expect(await ended()).toHaveLength(2), within);
  expect(await endpoints(key)).toMatchObject([{ id, enabled: true, failing_since: null }]);
  await newJob(studio.service, key);
  await vi.waitFor(async () => expect((await endpoints(key))[0].failing_since).not.toBeNull(), within);
  studio.receiver.answer((_, response) => response.writeHead(204).end());
});

test('the schedule: ten attempts over about three days, and a receiver may ask for more time', () => {
  const waits = Array.from({ length: 10 }, (_, n) => secondsToRetry(n + 1, null, 0.5));
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  expect(secondsToRetry(1, null, 0)).toBe(4);
  expect(secondsToRetry(1, 3600)).toBe(3600);
  expect(secondsToRetry(1, 10 ** 9)).toBe(86_400);
});

test('a receiver that redirects, sends without end, or speaks no HTTP', async () => {
  const rules = createReceiverRules(['127.0.0.1']);
  const receiver = await createReceiver();
  const post = (url = receiver.url) => postDelivery(rules, url, { 'webhook-id': 'x' }, '{"data":{}}');
  receiver.answer((_, response) => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end());
  expect(await post()).toMatchObject({ status: 302, error: null });
  expect(receiver.received).toHaveLength(1);
  receiver.answer((_, response) => {
    response.writeHead(200);
    const more = () =>
      void (response.write(Buffer.alloc(64 * 1024, 'a')) ? setImmediate(more) : response.once('drain', more));
    response.on('error', () => {});
    more();
  });
  expect(await post()).toMatchObject({ status: 200, answer: 'a'.repeat(1024) });
  receiver.answer((_, response) => response.writeHead(429, { 'retry-after': '90' }).end());
  expect(await post()).toMatchObject({ status: 429, retryAfter: 90 });
  const garbage = createTcpServer((socket: Socket) => void socket.end('SSH-2.0-nonsense\r\n')).listen(0, '127.0.0.1');
  await once(garbage, 'listening');
  const { port } = garbage.address() as { port: number };
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: 'HPE_INVALID_CONSTANT' });
  garbage.close();
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: null, error: 'ECONNREFUSED' });
  await receiver.close();
  rules.close();
});

/** Servers that no webhook should reach, with the number of connections they had open at once. */
async function createBadReceivers() {
  const most: Record<string, number> = {};
  const servers: TcpServer[] = [];
  const url = async (name: string, answer: (socket: Socket) => void) => {
    let open = 0;
    const server = createTcpServer((socket) => {
      most[name] = Math.max(most[name] ?? 0, ++open);
      socket.on('error', () => {}).on('close', () => open--);
      socket.once('data', () => answer(socket));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
  };
  const slowly = (socket: Socket) => {
    const bytes = [...'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'];
    const timer = setInterval(() => void socket.write(bytes.shift() ?? ''), 1_000);
    socket.on('close', () => clearInterval(timer));
  };
  const large = `HTTP/1.1 200 OK\r\nContent-Length: ${100 * 1024 ** 2}\r\n\r\n`;
  const urls = {
    hangs: await url('hangs', () => {}),
    redirects: await url('redirects', (socket) => void socket.end('HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n')),
    large: await url('large', (socket) => void socket.write(large + 'a'.repeat(100 * 1024 ** 2))),
    garbage: await url('garbage', (socket) => void socket.end(Buffer.alloc(1_000, 0xff))),
    slow: await url('slow', slowly),
  };
  return { urls, most, close: () => servers.forEach((server) => server.close()) };
}

test('receivers that hang, redirect, answer 100 MB, garbage or a byte a second cost a slot each, and nobody else waits', async () => {
  const [bad, good] = [await newCustomer(studio.service, 'studio'), await newCustomer(studio.service, 'studio')];
  const receivers = await createBadReceivers();
  const names = new Map<string, string>();
  for (const [name, url] of Object.entries(receivers.urls))
    names.set((await newEndpoint(studio, { url }, bad.person.token)).id, name);
  await newEndpoint(studio, {}, good.person.token);
  studio.receiver.received.length = 0;
  studio.receiver.answer((_, response) => response.writeHead(204).end());

  await newJob(studio.service, bad.key);
  await vi.waitFor(() => expect(Object.keys(receivers.most)).toHaveLength(5), within);
  const jobs = [];
  for (let n = 0; n < 3; n++) jobs.push(await newJob(studio.service, good.key));
  for (const id of jobs) await makeMoves({ ...studio, key: good.key }, id, 'accept', 'start');
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(9), within);

  const { call } = studio.service;
  const attemptsAt = async (id: string) => {
    const { body } = await call('GET', `/api/v1/webhook-endpoints/${id}/deliveries`, { as: bad.key });
    const delivery = await call('GET', `/api/v1/webhook-deliveries/${body.webhook_deliveries[0].id}`, { as: bad.key });
    return delivery.body.webhook_delivery.attempts;
  };
  // None of those that say nothing has been given up yet: nobody waited for them.
  for (const [id, name] of names) if (['hangs', 'slow'].includes(name)) expect(await attemptsAt(id), name).toEqual([]);

  const silent = { status: null, error: 'no answer within 15 seconds' };
  const said: Record<string, object> = {
    hangs: silent,
    redirects: { status: 301, error: null },
    large: { status: 200, error: null, answer: 'a'.repeat(1024) },
    garbage: { status: null, error: 'HPE_INVALID_CONSTANT' },
    slow: silent,
  };
  for (const [id, name] of names)
    await vi.waitFor(async () => expect((await attemptsAt(id))[0], name).toMatchObject(said[name] ?? {}), {
      timeout: 20_000,
      interval: 250,
    });
  expect(receivers.most).toEqual({ hangs: 1, redirects: 1, large: 1, garbage: 1, slow: 1 });
  receivers.close();
});

test.for(['never answered', 'answered until now'])(
  'ten endpoints that hang with 20 events each keep nobody waiting: they %s',
  async (before) => {
    const [bad, good] = [await newCustomer(studio.service, 'studio'), await newCustomer(studio.service, 'studio')];
    await setPlan(studio.service, bad.person, 'studio', { quota: 100, concurrency_limit: 100 });
    const hanging = await createReceiver();
    onTestFinished(() => hanging.close());
    for (let n = 0; n < 10; n++) await newEndpoint(studio, { url: hanging.url }, bad.person.token);
    await newEndpoint(studio, {}, good.person.token);
    studio.receiver.received.length = 0;
    studio.receiver.answer((_, response) => response.writeHead(204).end());

    if (before === 'answered until now') {
      await newJob(studio.service, bad.key);
      const succeeded = Array.from({ length: 10 }, () => ({ last_success_at: expect.any(String) }));
      await vi.waitFor(async () => expect(await endpoints(bad.key)).toMatchObject(succeeded), within);
      hanging.received.length = 0;
    }
    hanging.answer(() => {});
    await Promise.all(Array.from({ length: 20 }, () => newJob(studio.service, bad.key)));
    await vi.waitFor(() => expect(hanging.received.length).toBeGreaterThanOrEqual(10), within);

    for (let events = 1; events <= 3; events++) {
      await newJob(studio.service, good.key);
      await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(events), within);
    }
    // None of those that hang has been given up yet: nobody waited for them.
    const waiting = Array.from({ length: 10 }, () => ({ failing_since: null }));
    expect(await endpoints(bad.key)).toMatchObject(waiting);
    if (before === 'never answered') expect(hanging.received).toHaveLength(10);
  },
);
