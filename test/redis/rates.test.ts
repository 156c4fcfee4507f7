import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { makeKey, signUp } from '../support/people.ts';
import { grant } from '../support/plans.ts';
import { createService, type Service } from '../support/harness.ts';

/** Run by `npm run test:redis`, against a real Redis. */

const redis = new URL(process.env.REDIS_URL ?? '');

/** A door in front of Redis that can be shut. */
async function openDoor() {
  const through = new Set<Socket>();
  let shut = false;
  const server = createServer((socket) => {
    if (shut) return void socket.destroy();
    const other = connect(Number(redis.port || 6379), redis.hostname);
    for (const end of [socket, other]) {
      through.add(end);
      end.on('error', () => end.destroy());
    }
    socket.pipe(other).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    shut: () => {
      shut = true;
      for (const socket of through) socket.destroy();
    },
    open: () => void (shut = false),
    close: () => server.close(),
  };
}

const draft = {
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'A logo',
  customer_instructions: 'Brand name: Rise Bakery.',
};
const create = async (service: Service, as: string) =>
  (await service.call('POST', '/api/v1/jobs', { as, body: draft })).status;

const limits = (url: string) => ({ REDIS_URL: url, RATE_CREATE_JOB: 'account=100/60,key=4/60' });

test('two processes count together', async () => {
  const one = await createService(limits(redis.href));
  const two = await createService(limits(redis.href), { databaseUrl: one.databaseUrl });
  const person = await signUp(one);
  await grant(one, person, 'studio');
  const key = await makeKey(one, person);
  const statuses = [];
  for (const service of [one, two, one, two, one, two]) statuses.push(await create(service, key));
  expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
  await two.close();
  await one.close();
});

test('Redis away: the service goes on, counts in memory, says so once, and counts in Redis again afterwards', async () => {
  const door = await openDoor();
  const service = await createService(limits(door.url));
  const said: string[] = [];
  service.context.log.warn = (_fields: unknown, message?: string) => void said.push(message ?? '');
  const person = await signUp(service);
  await grant(service, person, 'studio');
  const key = await makeKey(service, person);
  expect([await create(service, key), await create(service, key)]).toEqual([201, 201]);

  door.shut();
  await expect.poll(() => said).toContainEqual(expect.stringContaining('Redis is unavailable'));
  const away = [];
  for (let n = 0; n < 6; n++) away.push(await create(service, key));
  expect(away).toEqual([201, 201, 201, 201, 429, 429]);
  expect(said.filter((endpoint) => endpoint.includes('Redis is unavailable'))).toHaveLength(1);

  door.open();
  await expect.poll(() => create(service, key), { timeout: 30_000, interval: 500 }).toBe(201);
  await service.close();
  door.close();
});

test('two processes share the net over all routes', async () => {
  const limits = { REDIS_URL: redis.href, RATE_REQUEST: 'credential=60/600' };
  const one = await createService(limits);
  const two = await createService(limits, { databaseUrl: one.databaseUrl });
  const person = await signUp(one);
  const key = await makeKey(one, person);
  const ask = async (service: Service) => (await service.call('GET', '/api/v1/me', { as: key })).status;
  for (const service of [one, two])
    expect(new Set(await Promise.all(Array.from({ length: 30 }, () => ask(service))))).toEqual(new Set([200]));
  // Each process reports its count and learns the sum. Alone it would pass thirty more.
  for (const service of [one, two])
    await expect.poll(() => ask(service), { interval: 1_000, timeout: 25_000 }).toBe(429);
  await two.close();
  await one.close();
});
