import { rates } from '../../contract/rates.ts';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../faults/process.ts';
import { deadlines } from '../../server/lib/deadlines.ts';
import { createService, type Service } from '../support/harness.ts';
import { newCustomer } from '../support/jobs.ts';
import { patience } from '../support/patience.ts';
import { createProxy } from '../support/proxy.ts';
import { startRedis } from '../support/redis.ts';

/** Run by `npm run test:redis`: a Redis that is reached and does not answer. */

vi.setConfig({ testTimeout: 60_000 });

const draft = {
  service_family: 'design',
  service_type: 'logo',
  customer_title: 'A logo',
  customer_instructions: 'Brand name: Rise Bakery.',
};

async function openRedis() {
  const port = await freePort();
  const server = await startRedis(port);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  return { url: `redis://127.0.0.1:${port}`, server };
}

/** A loaded machine may take longer than the 250 milliseconds of the product. */
const patient = 1_000;
const limits = { ...patience, redis: { ...patience.redis, answer: patient, idle: deadlines.redis.idle } };

/** Two processes on one Redis, and what the first one logs. */
async function openTwo(REDIS_URL: string, own = REDIS_URL) {
  const rate = { RATE_CREATE_JOB: 'account=1000/60,key=1000/60' };
  const one = await createService({ ...rate, REDIS_URL: own }, { limits });
  const two = await createService({ ...rate, REDIS_URL }, { databaseUrl: one.databaseUrl, limits });
  onTestFinished(async () => {
    await two.close();
    await one.close();
  });
  return { one, two };
}

function logOf({ context }: Service) {
  const said: string[] = [];
  const keep = (_fields: unknown, message?: string) => void said.push(message ?? String(_fields));
  context.log.warn = keep;
  context.log.info = keep;
  return () => said.filter((line) => line.startsWith('Redis is '));
}

async function measure(run: () => Promise<{ status: number }>) {
  const began = performance.now();
  const { status } = await run();
  return { status, ms: performance.now() - began };
}

test.each(['a Redis that is stopped', 'a network that swallows every byte'])(
  'creates and event reads go on, and count together again afterwards: %s',
  async (what) => {
    const { url, server } = await openRedis();
    const proxy = await createProxy(url);
    onTestFinished(() => proxy.close());
    const stops = what.includes('stopped');
    const freeze = () => (stops ? server.kill('SIGSTOP') : proxy.freeze());
    const thaw = () => (stops ? server.kill('SIGCONT') : proxy.thaw());
    const { one, two } = await openTwo(url, stops ? url : proxy.url.replace('http:', 'redis:'));
    const { key } = await newCustomer(one, 'studio');
    const said = logOf(one);
    const create = (service: Service) => service.call('POST', '/api/v1/jobs', { as: key, body: draft });
    const read = () => one.call('GET', '/api/v1/events', { as: key });
    const left = async (service: Service) =>
      Number(/"key";r=(\d+)/.exec((await create(service)).headers.get('ratelimit') ?? '')?.[1]);
    const countTogether = () =>
      vi.waitFor(async () => expect(await left(two)).toBe((await left(one)) + 1), { timeout: 30_000, interval: 250 });
    await countTogether(); // a loaded machine may lose Redis for a moment before
    const earlier = said().length;

    freeze();
    const asked = [];
    for (const until = performance.now() + 6_000; performance.now() < until; await wait(50)) {
      asked.push(await measure(() => create(one)), await measure(read));
      expect((await fetch(`${one.url}/healthz`)).status).toBe(200);
    }
    // Quota and the number of active jobs may refuse a create, which is no fault of Redis.
    expect(new Set(asked.map(({ status }) => status))).not.toContain(503);
    // One request every two seconds tries Redis.
    expect(asked.filter(({ ms }) => ms > patient).length).toBeLessThan(8);
    expect(said().slice(earlier)).toEqual([
      'Redis is unavailable: rates are counted in the memory of each process until it returns',
    ]);

    thaw();
    await vi.waitFor(
      async () => {
        await create(one);
        expect(said()).toHaveLength(earlier + 2);
      },
      { timeout: 30_000, interval: 250 },
    );
    expect(said().at(-1)).toBe('Redis is available again: rates are counted there');
    await countTogether();
    await wait(3_000); // a connection on which nothing is asked stays
    await left(one);
    expect(said()).toHaveLength(earlier + 2);
  },
);

test('a start with a Redis that answers says nothing, and with one that is stopped says once that it is away', async () => {
  const { url, server } = await openRedis();
  const lines: string[] = [];
  const log = {
    warn: (_: object, line: string) => void lines.push(line),
    info: (line: string) => void lines.push(line),
  };
  const { createRateLimiter } = await import('../../server/http/rate-limit.ts');
  const policy = { request: rates.request, sign_in: { address: { limit: 5, windowSeconds: 60 } } };
  const spend = async () => {
    const limiter = await createRateLimiter(policy, url, log, limits.redis);
    await limiter.spend('sign_in', { address: 'a' });
    limiter.close();
  };
  await spend();
  expect(lines).toEqual([]);
  server.kill('SIGSTOP');
  await spend();
  server.kill('SIGCONT');
  expect(lines).toEqual(['Redis is unavailable: rates are counted in the memory of each process until it returns']);
});
