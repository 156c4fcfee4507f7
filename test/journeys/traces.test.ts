import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createService, type Service } from '../support/harness.ts';
import { draft, newCustomer } from '../support/jobs.ts';
import { createReceiver } from '../support/receiver.ts';
import { startServiceProcess } from '../support/service-process.ts';

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
};
type Batch = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };

const parent = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
const traceparent = `00-${parent.trace}-${parent.span}-01`;

/** `silent`: takes connections and answers nothing. */
async function openCollector(silent = false) {
  const spans: Span[] = [];
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (silent) return;
      const text = Buffer.concat(parts).toString();
      texts.push(text);
      for (const { scopeSpans } of (JSON.parse(text) as Batch).resourceSpans)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { spans, texts, url: `http://127.0.0.1:${port}` };
}

let service: Service;
let customer: Awaited<ReturnType<typeof newCustomer>>;
beforeAll(async () => {
  service = await createService();
  customer = await newCustomer(service, 'studio');
});
afterAll(() => service.close());

async function startTraced(env: Record<string, string>) {
  const traced = await startServiceProcess({ DATABASE_URL: service.databaseUrl, ...env }, service.databaseUrl);
  onTestFinished(traced.stop);
  return traced;
}

const factsOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test('a request is a span of its caller’s trace, its statements are parts of it, and logs and webhooks name it', async () => {
  const collector = await openCollector();
  const receiver = await createReceiver();
  onTestFinished(receiver.close);
  const { url, key, run } = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    WEBHOOK_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'debug',
  });
  const ask = (path: string, as: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', traceparent, baggage: 'who=me' },
      body: JSON.stringify(body),
    });
  expect((await ask('/api/v1/webhook-endpoints', customer.person.token, { url: receiver.url })).status).toBe(201);
  expect((await ask('/api/v1/jobs', customer.key, draft)).status).toBe(201);
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  await expect.poll(() => named('POST /api/v1/jobs').length).toBe(1);
  await expect.poll(() => named('POST /api/v1/webhook-endpoints').length).toBe(1);
  await expect.poll(() => named('webhook POST').length).toBeGreaterThan(0);

  const [created] = named('POST /api/v1/jobs') as [Span];
  expect(created).toMatchObject({ traceId: parent.trace, parentSpanId: parent.span });
  expect(factsOf(created)).toMatchObject({ 'atelier.operation': 'createJob', 'http.response.status_code': 201 });
  const [endpoint] = named('POST /api/v1/webhook-endpoints') as [Span];
  const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === endpoint.spanId);
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['begin', 'insert into webhook_endpoints']));
  // Callers share the statement that stores jobs, so it begins a trace of its own.
  await expect
    .poll(() => named('insert into jobs').length + named('update account_counters').length)
    .toBeGreaterThan(0);
  await expect.poll(() => collector.spans.filter(({ name }) => name.startsWith('task ')).length).toBeGreaterThan(0);

  const [delivery] = named('webhook POST') as [Span];
  const { traceparent: sent, baggage } = receiver.received[0]!.headers;
  expect(sent).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
  expect(baggage).toBeUndefined();
  const answered =
    run
      .said()
      .split('\n')
      .find((line) => line.includes('"route":"POST /api/v1/jobs"')) ?? '{}';
  expect(JSON.parse(answered)).toMatchObject({ trace_id: parent.trace, span_id: created.spanId });
  const all = collector.texts.join();
  for (const secret of [customer.key, customer.person.token, key, draft.customer_instructions])
    expect(all).not.toContain(secret);
});

test('a header that is no traceparent begins a trace of its own', async () => {
  const collector = await openCollector();
  const { url } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' });
  for (const header of ['00-0-0-01', `00-${'0'.repeat(32)}-${parent.span}-01`, 'x'.repeat(5_000)])
    expect((await fetch(`${url}/healthz`, { headers: { traceparent: header } })).status).toBe(200);
  await expect.poll(() => collector.spans.filter(({ name }) => name === 'GET /healthz').length).toBe(3);
  const probes = collector.spans.filter(({ name }) => name === 'GET /healthz');
  expect(probes.map(({ parentSpanId }) => parentSpanId ?? '')).toEqual(['', '', '']);
  expect(new Set(probes.map(({ traceId }) => traceId)).size).toBe(3);
});

test('what is left is sent at the end of the process', async () => {
  const collector = await openCollector();
  const { url, run } = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  });
  expect((await fetch(`${url}/api/v1/catalog`)).status).toBe(200);
  expect(collector.spans).toEqual([]);
  run.child.kill('SIGTERM');
  expect(await run.ended).toBe(0);
  expect(collector.spans.map(({ name }) => name)).toContain('GET /api/v1/catalog');
});

test('a collector that does not answer delays no request, and not the end', async () => {
  const collector = await openCollector(true);
  const traced = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' });
  for (let n = 0; n < 20; n++)
    expect((await traced.asks('POST', '/api/v1/jobs', { as: traced.key, body: draft })).status).toBe(201);
  traced.run.child.kill('SIGTERM');
  expect(await traced.run.ended).toBe(0);
});

test('without the setting nothing of OpenTelemetry is loaded but its interface, which the sign-in library takes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-loaded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const told = join(folder, 'loaded.json');
  const teller = join(folder, 'tell.cjs');
  await writeFile(
    teller,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  const loadedWith = async (env: Record<string, string>) => {
    const traced = await startServiceProcess(
      { DATABASE_URL: service.databaseUrl, NODE_OPTIONS: `--require ${teller}`, ...env },
      service.databaseUrl,
    );
    await traced.stop();
    const loaded = JSON.parse(await readFile(told, 'utf8')) as string[];
    await rm(told);
    return loaded.filter((path) => /@opentelemetry\/(?!api\/)/.test(path)).length;
  };
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toBeGreaterThan(0);
  expect(await loadedWith({})).toBe(0);
});
