import { pino } from 'pino';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics } from '../lib/metrics.ts';
import { createSigner } from '../lib/signer.ts';
import { createHttp } from './server.ts';

let app: Awaited<ReturnType<typeof createHttp>>;
let origin: string;

beforeAll(async () => {
  const metrics = createMetrics({
    connections: () => ({ total: 0, idle: 0, waiting: 0 }),
    streams: () => 0,
    faults: {},
    schema: '',
  });
  app = await createHttp(
    pino({ level: 'silent' }),
    metrics,
    'http://localhost:3000',
    [],
    createSigner(['k'.repeat(32)]),
  );
  const late = () => wait(7_000, { late: true });
  app.get('/late', late);
  app.post('/late', late);
  app.post('/later', { config: { answerWithin: 10_000 } }, late);
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };

test.concurrent.each([
  ['GET', {}],
  ['POST, whose body was read long ago', post],
])('503 service_unavailable: after five seconds without an answer, %s', async (_what, init) => {
  const answer = await fetch(`${origin}/late`, init);
  expect(`${answer.status} ${(await answer.json()).error.code}`).toBe('503 service_unavailable');
  expect(answer.headers.get('retry-after')).toBe('2');
});

test.concurrent('200: a route with a longer deadline', async () => {
  expect((await fetch(`${origin}/later`, post)).status).toBe(200);
});
