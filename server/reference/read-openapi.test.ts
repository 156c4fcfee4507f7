import { type Endpoint, errorsOf } from '../../contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaFault } from '../../test/support/answers.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { endpoints, openapi } from '../../contract/openapi.ts';

type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: object; example?: unknown } } };
  responses: Record<
    string,
    { headers?: object; content?: Record<string, { schema: object; examples?: Record<string, Example> }> }
  >;
};
type Example = { summary: string; value: { error: { code: string } } };

let service: Service;
// oxlint-disable-next-line typescript/no-explicit-any
let document: any;
beforeAll(async () => {
  service = await createService();
  document = (await service.call('GET', '/api/v1/openapi.json')).body;
});
afterAll(() => service.close());

const operationOf = (endpoint: Endpoint): Operation => document.paths[endpoint.path][endpoint.method.toLowerCase()];

test('200 is the OpenAPI 3.1.0 document, version 1.0.0, of exactly the routes there are', async () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Atelier', version: '1.0.0' } });
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted());
  for (const endpoint of endpoints) {
    const { status } = await service.call(endpoint.method, endpoint.path.replace('{id}', 'x'));
    expect([404, 405], `${endpoint.method} ${endpoint.path}`).not.toContain(status);
  }
});

test('200 has every route of the first version', () => {
  const specified = [
    'GET /api/v1/openapi.json',
    'GET /api/v1/catalog',
    'POST /api/v1/catalog/intent-check',
    'GET /api/v1/me',
    'GET /api/v1/entitlements',
    'GET /api/v1/usage',
    'GET /api/v1/jobs',
    'POST /api/v1/jobs/preflight',
    'POST /api/v1/jobs',
    'GET /api/v1/jobs/{id}',
    'GET /api/v1/jobs/{id}/events',
    'POST /api/v1/jobs/{id}/approve',
    'POST /api/v1/jobs/{id}/cancel',
    'POST /api/v1/jobs/{id}/revision',
    'POST /api/v1/intake/sessions',
    'GET /api/v1/intake/sessions/{id}',
    'POST /api/v1/intake/sessions/{id}/messages',
    'POST /api/v1/intake/sessions/{id}/confirm',
    'POST /api/v1/files/presign',
    'POST /api/v1/files/{id}/complete',
    'GET /api/v1/files/{id}/download',
    'POST /api/v1/files/{id}/download',
    'GET /api/v1/api-keys',
    'POST /api/v1/api-keys',
    'DELETE /api/v1/api-keys/{id}',
    'POST /api/checkout/tier',
    'POST /api/stripe/webhook',
  ];
  const routes = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(specified.filter((route) => !routes.includes(route))).toEqual([]);
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
      for (const [status, codes] of Object.entries(errorsOf(endpoint))) {
        const { schema, examples = {} } = responses[status]?.content?.['application/json'] ?? {};
        const refusal = ['403', '409', '422', '429'].includes(status) || codes.includes('file_too_large');
        const name = refusal ? 'RejectResponse' : 'ErrorResponse';
        expect(schema, status).toEqual({ $ref: `#/components/schemas/${name}` });
        expect(Object.keys(examples).toSorted()).toEqual(codes.toSorted());
        for (const [code, { value }] of Object.entries(examples)) expect(value.error.code).toBe(code);
      }
    },
  );
});

type Node = { schema?: object; example?: unknown; examples?: unknown; [key: string]: unknown };

/** Each example in the document with the schema it belongs to. */
function* examplesOf(node: unknown, path = ''): Generator<[path: string, schema: object, value: unknown]> {
  if (typeof node !== 'object' || node === null) return;
  const { schema, example, examples = {}, ...rest } = node as Node;
  if (schema && example !== undefined) yield [path, schema, example];
  if (schema) for (const { value } of Object.values(examples as Record<string, Example>)) yield [path, schema, value];
  else if (Array.isArray(examples)) for (const value of examples) yield [path, node, value];
  for (const [key, inner] of Object.entries({ ...rest, schema })) yield* examplesOf(inner, `${path}/${key}`);
}

describe('examples', () => {
  test('each one is what its schema takes', () => {
    const all = [...examplesOf(document)];
    expect(all.length).toBeGreaterThan(400);
    expect(all.map(([path, schema, value]) => [path, schemaFault(schema, value)]).filter(([, fault]) => fault)).toEqual(
      [],
    );
  });

  test('each request body has one', () => {
    const bodies = endpoints.flatMap((endpoint) => (endpoint.body ? [operationOf(endpoint).requestBody] : []));
    expect(bodies.length).toBeGreaterThan(25);
    for (const body of bodies) expect(body?.content['application/json'].example).toBeTypeOf('object');
  });
});

describe('headers', () => {
  test('headers of refusals are documented: the challenge, and how long to wait', () => {
    for (const endpoint of endpoints) {
      const { responses } = operationOf(endpoint);
      if (responses[401]) expect(Object.keys(responses[401].headers ?? {})).toEqual(['WWW-Authenticate']);
      if (responses[429])
        expect(Object.keys(responses[429].headers ?? {})).toEqual(['RateLimit-Policy', 'RateLimit', 'Retry-After']);
    }
  });

  test('request headers are documented: the signature of an event, the ETag of a catalog', () => {
    const named = (path: string, method: string, name: string) =>
      document.paths[path][method].parameters.find((one: { name: string }) => one.name === name);
    expect(named('/api/stripe/webhook', 'post', 'Stripe-Signature')).toMatchObject({ in: 'header', required: true });
    expect(named('/api/v1/catalog', 'get', 'If-None-Match')).toMatchObject({ in: 'header', required: false });
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
  const [item] = items.anyOf;
  const { price, ...beside } = item.properties.data.items.properties;
  expect(Object.keys(beside)).toEqual(period);
  expect(Object.keys(price.anyOf[0].properties)).toEqual(['id', 'product', 'unit_amount', 'currency']);
  expect(Object.keys(metadata.anyOf[0].properties)).toEqual(['service_entitlement_code', 'service_account_id']);
});

test('200 holds no reference that leads nowhere, and security schemes that exist', () => {
  const found = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(found.filter((name) => !Object.hasOwn(document.components.schemas, name ?? ''))).toEqual([]);
  const schemes = Object.keys(document.components.securitySchemes);
  const used = endpoints.flatMap(({ path, method }) =>
    document.paths[path][method.toLowerCase()].security.flatMap(Object.keys),
  );
  expect([...new Set(used)].filter((name) => !schemes.includes(String(name)))).toEqual([]);
});

test('200 at /docs: an HTML page that needs nothing from elsewhere', async () => {
  const page = await fetch(`${service.url}/docs`);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toMatch(/^'self'( 'sha256-[A-Za-z0-9+/=]{44}')+$/);
  expect(html).toContain('/api/v1/openapi.json');
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
