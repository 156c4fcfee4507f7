import { type Audience, audiences, isFor } from '../../contract/document/audiences.ts';
import { type Endpoint, errorsOf } from '../../contract/endpoint.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import { version } from '../lib/version.ts';
import { schemaFault } from '../../test/support/answers.ts';
import { contentsOf } from '../../test/support/answer-examples.ts';
import { firstRoutes } from '../../test/support/first-routes.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { endpoints, openapi } from '../../contract/openapi.ts';

type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: object; example?: unknown } } };
  responses: Record<string, Response>;
};
type Response = {
  $ref?: string;
  description: string;
  headers?: object;
  content?: Record<string, { schema: object; example?: unknown }>;
};

let service: Service;
// A test reads any part of the document.
// oxlint-disable-next-line typescript/no-explicit-any
type Document = any;
let document: Document;
beforeAll(async () => {
  service = await sharedService();
  document = (await service.call('GET', '/api/v1/openapi.json')).body;
});

const operationOf = (endpoint: Endpoint): Operation => document.paths[endpoint.path][endpoint.method.toLowerCase()];

const responseOf = (response: Response): Response =>
  response.$ref ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response;
type Parameter = { $ref?: string; name: string; in: string };
const parameterOf = (parameter: Parameter): Parameter =>
  parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter;

test('200 is the OpenAPI 3.1.0 document, version 1.0.0, of exactly the routes there are', async () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Atelier', version: '1.0.0', 'x-service-version': version },
  });
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
  for (const endpoint of endpoints) {
    const { status, body } = await service.call(endpoint.method, endpoint.path.replace('{id}', 'x'));
    expect(status, `${endpoint.method} ${endpoint.path}`).not.toBe(405);
    expect(body.error?.code, `${endpoint.method} ${endpoint.path}`).not.toBe('not_found');
  }
});

test('200 has every route of the first version, with each of its statuses by number', () => {
  const missing = Object.entries(firstRoutes).flatMap(([route, statuses]) => {
    const [method = '', path = ''] = route.split(' ');
    const responses: Operation['responses'] = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const isListed = (status: number) =>
      status < 400
        ? responses[status]
        : document.components.responses[responses[status]?.$ref?.split('/').at(-1) ?? ''];
    return statuses.filter((status) => !isListed(status)).map((status) => `${route} ${status}`);
  });
  expect(missing).toEqual([]);
});

describe('each operation', () => {
  test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s',
    (_, endpoint) => {
      const operation = operationOf(endpoint);
      const { tags, responses, ...told } = operation;
      expect(told).toMatchObject({
        operationId: endpoint.operationId,
        summary: expect.stringMatching(/^[A-Z].{3,60}[^.]$/),
      });
      expect(tags).toHaveLength(1);
      expect(document.tags.map(({ name }: { name: string }) => name)).toContain(tags[0]);
      expect(operation.security.length > 0).toBe(endpoint.auth !== 'public');
      expect(responses['default']).toEqual({ $ref: '#/components/responses/default' });
      for (const [status, codes] of Object.entries(endpoint.errors as Record<string, ErrorCode[]>)) {
        const response = responseOf(responses[status] as Response);
        const refusal = ['403', '409', '422', '429'].includes(status) || codes.includes('file_too_large');
        const name = refusal ? 'RejectResponse' : 'ErrorResponse';
        expect(response.content?.['application/json']?.schema).toEqual({ $ref: `#/components/schemas/${name}` });
        for (const code of codes) expect(response.description).toContain(`\`${code}\`: `);
      }
      for (const [status, codes] of Object.entries(errorsOf(endpoint)))
        for (const code of codes.filter((one) => !endpoint.errors[+status]?.includes(one)))
          expect(document.components.responses.default.description).toMatch(new RegExp(`- ${status}: .*\`${code}\``));
    },
  );
});

type Node = { schema?: object; example?: unknown; examples?: unknown; [key: string]: unknown };

/** Each example in the document with the schema it belongs to. */
function* examplesOf(node: unknown, path = ''): Generator<[path: string, schema: object, value: unknown]> {
  if (typeof node !== 'object' || node === null) return;
  const { schema, example, examples, ...rest } = node as Node;
  if (schema && example !== undefined) yield [path, schema, example];
  if (Array.isArray(examples)) for (const value of examples) yield [path, node, value];
  for (const [key, inner] of Object.entries({ ...rest, schema })) yield* examplesOf(inner, `${path}/${key}`);
}

describe('examples', () => {
  test('each one is what its schema takes', () => {
    const all = [...examplesOf(document)];
    expect(all.length).toBeGreaterThan(60);
    expect(all.map(([path, schema, value]) => [path, schemaFault(schema, value)]).filter(([, fault]) => fault)).toEqual(
      [],
    );
  });

  test('each success with a body has one, and `npm run generate` records a missing one', () => {
    const missing = endpoints.flatMap((endpoint) =>
      contentsOf(endpoint)
        .filter(({ status, type }) => operationOf(endpoint).responses[status]?.content?.[type]?.example === undefined)
        .map(({ status, type }) => `${endpoint.operationId} ${status} ${type}`),
    );
    expect(missing, 'give it a scene in test/support/answer-scenes.ts if its test needs one').toEqual([]);
  });

  test('none has a secret of the tests, and each is small', () => {
    for (const { operationId, answers } of endpoints.map((endpoint) => ({
      ...endpoint,
      answers: operationOf(endpoint).responses,
    })))
      for (const { content = {} } of Object.values(answers))
        for (const { example } of Object.values(content)) {
          const text = JSON.stringify(example ?? null);
          expect(text.length, operationId).toBeLessThan(3_000);
          const words = text.match(/(?<!\w_)[\w+-]{24,}/g) ?? [];
          const random = words.filter((word) => /\d/.test(word) && !/abcdefgh|01jd3vsh8x|0b7d4c1e/.test(word));
          expect(random, operationId).toEqual([]);
        }
  });

  test('each request body has one', () => {
    const bodies = endpoints.flatMap((endpoint) => (endpoint.body ? [operationOf(endpoint).requestBody] : []));
    expect(bodies.length).toBeGreaterThan(25);
    for (const body of bodies) expect(body?.content['application/json'].example).toBeTypeOf('object');
  });
});

describe('headers', () => {
  test('headers of refusals are documented: the challenge, and how long to wait', () => {
    const { responses } = document.components;
    expect(Object.keys(responses['429.rate_limit_exceeded'].headers)).toEqual([
      'RateLimit-Policy',
      'RateLimit',
      'Retry-After',
    ]);
    expect(Object.keys(responses.default.headers)).toEqual(['X-Request-Id', 'WWW-Authenticate', 'Retry-After']);
  });

  test('request headers are documented: the signature of an event, the ETag of a catalog', () => {
    const named = (path: string, method: string, name: string) =>
      document.paths[path][method].parameters.map(parameterOf).find((one: { name: string }) => one.name === name);
    expect(named('/api/stripe/webhook', 'post', 'Stripe-Signature')).toMatchObject({ in: 'header', required: true });
    expect(named('/api/v1/catalog', 'get', 'If-None-Match')).toMatchObject({ in: 'header' });
    expect(named('/api/v1/jobs', 'post', 'Idempotency-Key')).toMatchObject({ in: 'header' });
  });

  test('the cookie has the name that this service gives it', () => {
    expect(document.components.securitySchemes.cookie.name).toBe(service.context.auth.cookieName);
    const { securitySchemes } = openapi('https://a.example').components as typeof document;
    expect(securitySchemes.cookie.name).toBe('__Host-atelier.session_token');
  });
});

test('200 names what is read of an event of the provider', () => {
  const { schema } = document.paths['/api/stripe/webhook'].post.requestBody.content['application/json'];
  expect(schema.required).toEqual(['id', 'type', 'livemode']);
  const { items, metadata, ...object } = document.components.schemas.ProviderSubscription.properties;
  const period = ['current_period_start', 'current_period_end'];
  expect(Object.keys(object)).toEqual(expect.arrayContaining(['customer', 'subscription', 'status', ...period]));
  const { price, ...beside } = items.properties.data.items.properties;
  expect(Object.keys(beside)).toEqual(period);
  expect(Object.keys(price.properties)).toEqual(['id', 'product', 'unit_amount', 'currency']);
  expect(Object.keys(metadata.properties)).toEqual(['service_entitlement_code', 'service_account_id']);
});

test('200 holds no reference that leads nowhere, and security schemes that exist', () => {
  expect(brokenReferences(document)).toEqual([]);
  const schemes = Object.keys(document.components.securitySchemes);
  const used = endpoints.flatMap(({ path, method }) =>
    document.paths[path][method.toLowerCase()].security.flatMap(Object.keys),
  );
  expect([...new Set(used)].filter((name) => !schemes.includes(String(name)))).toEqual([]);
});

const brokenReferences = (within: Document): string[] =>
  [...JSON.stringify(within).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    .filter(([, kind = '', name = '']) => !Object.hasOwn(within.components[kind] ?? {}, name))
    .map(([reference]) => reference);

describe('GET /api/v1/openapi.json', () => {
  const path = '/api/v1/openapi.json';
  const fetched = (headers: Record<string, string>, query = '') => fetch(service.url + path + query, { headers });

  test('200: at most 697 kB, of which examples of answers are 123 kB, and at most 96 kB compressed', async () => {
    const sizes = await Promise.all(
      ['identity', 'gzip', 'br', 'gzip;q=0, br;q=0'].map(async (accepted) => {
        // The client of Node decompresses; the length is that of the bytes sent.
        const { headers } = await fetched({ 'accept-encoding': accepted });
        return [headers.get('content-encoding'), Number(headers.get('content-length')), headers.get('vary')] as const;
      }),
    );
    expect(sizes.map(([encoding]) => encoding)).toEqual([null, 'gzip', 'br', null]);
    const [whole, gzip, brotli] = sizes.map(([, bytes]) => bytes);
    expect(whole).toBeLessThanOrEqual(697_000);
    for (const bytes of [gzip, brotli]) expect(bytes).toBeLessThanOrEqual(96_000);
    for (const [, , vary] of sizes) expect(vary).toBe('accept-encoding');
    expect(await (await fetched({ 'accept-encoding': 'br' })).json()).toEqual(document);
  });

  test('304: If-None-Match with its ETag, in any encoding', async () => {
    const etag = (await fetched({})).headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const given of [etag, `"other", ${etag}`, '*'])
      for (const accepted of ['identity', 'br']) {
        const answer = await fetched({ 'if-none-match': given, 'accept-encoding': accepted });
        expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag]);
      }
    expect((await fetched({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('200: one operation with everything that it refers to', async () => {
    for (const { operationId, method, path: route } of endpoints) {
      const { status, body } = await service.call('GET', `${path}?operation=${operationId}`);
      expect([status, body.openapi]).toEqual([200, '3.1.0']);
      expect(body.paths).toEqual({ [route]: { [method.toLowerCase()]: document.paths[route][method.toLowerCase()] } });
      expect(brokenReferences(body), operationId).toEqual([]);
    }
    const text = await (await fetched({}, '?operation=createJob')).text();
    expect(text.length).toBeLessThan(31_000);
    expect(text).toContain('idempotency_key_conflict');
    expect(Object.keys(JSON.parse(text).components.schemas)).toContain('NewJob');
    const { headers } = await fetched({}, '?operation=createJob');
    expect((await fetched({ 'if-none-match': headers.get('etag') ?? '' }, '?operation=createJob')).status).toBe(304);
  });

  test('200: the webhook request as an operation', async () => {
    const { body } = await service.call('GET', `${path}?operation=receiveEvent`);
    expect([Object.keys(body.paths), Object.keys(body.webhooks)]).toEqual([[], ['event']]);
    expect(brokenReferences(body)).toEqual([]);
  });

  test.each(audiences)(
    '200: the operations for a %s, without examples, in any encoding, with an ETag of their own',
    async (name) => {
      const read = (headers: Record<string, string> = {}) => fetched(headers, `?audience=${name}`);
      const answer = await read();
      const part: Document = await answer.json();
      const expected = endpoints.filter((endpoint) => isFor(name, endpoint)).map(({ operationId }) => operationId);
      const operations = Object.values(part.paths).flatMap((methods): Operation[] => Object.values(methods as object));
      expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(expected.toSorted());
      expect(brokenReferences(part)).toEqual([]);
      expect([...examplesOf(part)]).toEqual([]);
      expect(new Set(part.tags.map((tag: { name: string }) => tag.name))).toEqual(
        new Set(operations.flatMap(({ tags }) => tags)),
      );
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).not.toBe((await fetched({})).headers.get('etag'));
      expect((await read({ 'if-none-match': etag })).status).toBe(304);
      const compressed = await read({ 'accept-encoding': 'br' });
      expect([compressed.headers.get('content-encoding'), await compressed.json()]).toEqual(['br', part]);
    },
  );

  test('a customer orders and follows, a worker claims and delivers, an operator runs the studio', () => {
    const has = (name: Audience, ...ids: string[]) =>
      ids.filter((id) => endpoints.some((endpoint) => endpoint.operationId === id && isFor(name, endpoint)));
    const ids = [
      'createJob',
      'createApiKey',
      'claimJob',
      'publishCatalog',
      'readMetrics',
      'receiveWebhook',
      'signIn',
      'inviteMember',
    ];
    expect(has('customer', ...ids)).toEqual(['createJob', 'createApiKey']);
    expect(has('worker', ...ids)).toEqual(['claimJob']);
    expect(has('operator', ...ids)).toEqual(['claimJob', 'publishCatalog', 'readMetrics', 'receiveWebhook']);
  });

  test.each(['', 'customers', 'constructor', 'customer,worker'])(
    '400 invalid_request: the audience "%s"',
    async (name) => {
      const { status, body } = await service.call('GET', `${path}?audience=${name}`);
      expect([status, body.error.code, body.error.details[0].location]).toEqual([400, 'invalid_request', 'audience']);
      expect(body.error.details[0].message).toBe('must be one of customer, worker, operator');
    },
  );

  test.each(['nothing', 'createjob', '__proto__', 'constructor'])('404 operation_not_found: %s', async (name) => {
    const { status, body } = await service.call('GET', `${path}?operation=${name}`);
    expect([status, body.error.code]).toEqual([404, 'operation_not_found']);
  });

  test('400 invalid_request: an empty name, or a long one', async () => {
    for (const name of ['', 'x'.repeat(101)])
      expect((await service.call('GET', `${path}?operation=${name}`)).status).toBe(400);
  });
});

test('200 at /docs: an HTML page that needs nothing from elsewhere', async () => {
  const page = await fetch(`${service.url}/docs`);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toMatch(/^'self'( 'sha256-[A-Za-z0-9+/=]{44}')+$/);
  expect(html).toContain('/docs/reference.json');
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  for (const [, source] of html.matchAll(/<script[^>]+src="([^"]+)"/g)) {
    const script = await fetch(new URL(source ?? '', page.url));
    expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
  }
});

test('streams are text/event-stream, and what is posted to customers stands under webhooks', () => {
  const streamed = (path: string) => document.paths[path].get.responses['200'].content['text/event-stream'].schema;
  expect(streamed('/api/v1/events/stream')).toEqual({ $ref: '#/components/schemas/AccountEvent' });
  expect(streamed('/api/operator/v1/queue/stream')).toEqual({ $ref: '#/components/schemas/QueueChange' });
  const { post } = document.webhooks.event;
  expect(post.requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/WebhookBody' });
  const headers = post.parameters.map(({ name }: { name: string }) => name);
  expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
});

test('pages of any origin may do the public reads, without credentials, and nothing else', async () => {
  const allowed = async (path: string) => {
    const { headers } = await fetch(service.url + path, {
      headers: { origin: 'https://viewer.example' },
      redirect: 'manual',
    });
    return [path, headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
  };
  const open = ['catalog', 'plans', 'openapi.json?operation=no_such'].map((name) => `/api/v1/${name}`);
  for (const path of [...open, '/docs/', '/docs.md', '/docs/errors.md', '/docs/reference.json'])
    expect(await allowed(path)).toEqual([path, '*', null]);
  const closed = ['/api/v1/me', '/api/v1/installation', '/api/v1/catalog/intent-check', '/catalog/pictures/x.png'];
  for (const path of [...closed, '/', '/docsx']) expect(await allowed(path)).toEqual([path, null, null]);
});
