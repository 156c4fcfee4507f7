import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Customer, demoCustomer, type Faulty, createFaultyService } from './faulty-service.ts';
import { type Asks, asksTo, firstGood, msOf, quantile, repeat, slack, tally, wrongs } from './load.ts';
import { signalPostgres } from './postgres.ts';

/** Others that are slow: callers who dribble their requests, and who reads what the process writes. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let service: Faulty;
let asks: Asks;
let ada: Customer;
beforeAll(async () => {
  service = await createFaultyService({ LOG_LEVEL: 'trace' });
  asks = asksTo(service.url);
  ada = await demoCustomer(service);
});
afterAll(async () => {
  asks.close();
  await service.close();
});

/** Sends the beginning, then the rest a piece a second; the milliseconds until the other side closes, and what it said. */
async function dribble(beginning: string, piece: string, url = service.url): Promise<{ ms: number; answer: string }> {
  const { hostname, port } = new URL(url);
  const began = performance.now();
  const socket = dial(Number(port), hostname);
  socket.on('error', () => {});
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
  if (beginning !== '') socket.write(beginning);
  const timer = setInterval(() => piece !== '' && socket.write(piece), 1_000);
  const giveUp = setTimeout(() => socket.destroy(), 20_000);
  await once(socket, 'close');
  clearInterval(timer);
  clearTimeout(giveUp);
  return { ms: performance.now() - began, answer };
}

const heads = (path: string, ...lines: string[]) => [`POST ${path} HTTP/1.1`, 'Host: a', ...lines].join('\r\n');
const json = ['Content-Type: application/json', 'Content-Length: 1000', '', '{'];

test('five hundred sockets that send slowly, or nothing, are gone within 12 seconds, and disturb nobody', async () => {
  const reads = repeat(2, () => asks('GET', '/api/v1/jobs?limit=5', { as: ada.key }));
  const health = repeat(1, () => asks('GET', '/healthz'));
  await wait(1_000);
  const before = health.outcomes.length;
  const calm = quantile(msOf(health.outcomes), 0.99);
  const plain = Fastify();
  plain.post('/', () => 'ok');
  let plainHolds = true;
  const plainly = dribble(heads('/', ...json), ' ', await plain.listen()).finally(() => (plainHolds = false));
  const many = <T>(count: number, one: () => Promise<T>) => Promise.all(Array.from({ length: count }, one));
  const [headers, open, closed, silent] = await Promise.all([
    many(200, () => dribble(`${heads('/api/v1/jobs')}\r\n`, 'X-Slow: x\r\n')),
    many(100, () => dribble(heads('/api/v1/catalog/intent-check', ...json), ' ')),
    many(100, () => dribble(heads('/api/v1/jobs', `Authorization: Bearer ${ada.key}`, ...json), ' ')),
    many(100, () => dribble('', '')),
  ]);
  await Promise.all([reads.stop(), health.stop()]);
  // The control: what the framework does by default.
  expect(plainHolds).toBe(true);
  plain.server.closeAllConnections();
  await Promise.all([plainly, plain.close()]);
  const slowest = (gone: { ms: number }[]) => Math.max(...gone.map(({ ms }) => ms));
  for (const gone of [headers, open, closed, silent]) expect(slowest(gone)).toBeLessThan(12_000 + slack());
  for (const { answer } of [...headers, ...open, ...closed]) {
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
  }
  expect(wrongs([...reads.outcomes, ...health.outcomes])).toEqual([]);
  expect(tally(health.outcomes)).toEqual({ 200: health.outcomes.length });
  expect(quantile(msOf(health.outcomes.slice(before)), 0.99)).toBeLessThan(Math.max(250, 5 * calm) + slack());
});

test('nobody reads what it writes: no request waits for that, nor does the end', async () => {
  const { child } = service.run;
  for (const output of [child.stdout, child.stderr]) output?.pause();
  // Far more than a pipe holds.
  const load = repeat(8, () => asks('GET', '/healthz'), 0);
  await vi.waitFor(() => expect(load.outcomes.length).toBeGreaterThan(2_500), { timeout: 90_000 });
  await load.stop();
  expect(tally(load.outcomes)).toEqual({ 200: load.outcomes.length });
  expect(quantile(msOf(load.outcomes), 1)).toBeLessThan(3_000 + slack());
  const told = performance.now();
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(performance.now() - told).toBeLessThan(10_000 + slack());
  await service.restart();
});

test('who read what it writes is gone: it lives on, also when it has something to tell', async () => {
  const { child } = service.run;
  for (const output of [child.stdout, child.stderr]) output?.destroy();
  await asks('GET', '/healthz');
  const load = repeat(2, () => asks('GET', '/api/v1/jobs?limit=5', { as: ada.key }));
  signalPostgres(service.folder, 'SIGKILL');
  const killed = performance.now();
  await vi.waitFor(() => expect(firstGood(load.outcomes, killed + 100)).toBeLessThan(15_000 + slack()), {
    timeout: 90_000,
  });
  await load.stop();
  expect(wrongs(load.outcomes)).toEqual([]);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
});
