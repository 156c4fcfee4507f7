import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoint } from '../../contract/endpoint.ts';
import { createComponents, operationOf } from '../../contract/document/operation.ts';
import { Closed } from '../../contract/shapes.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { createAuthorize } from '../access/authorize.ts';
import { route, serveRoutes } from './handle.ts';
import { createHttp } from './server.ts';

const line = {
  method: 'GET',
  tag: 'Jobs',
  summary: 'Read something',
  auth: 'caller',
  answers: { 200: { description: 'Read.', schema: Closed({ done: Type.Literal(true) }) } },
  errors: {},
} as const;
const ending = endpoint({
  ...line,
  operationId: 'readEnding',
  path: '/api/v1/ending',
  deprecated: { since: '2027-01-15', sunset: '2028-01-31', replacement: 'readJob' },
});
const lasting = endpoint({ ...line, operationId: 'readLasting', path: '/api/v1/lasting' });

let service: Service;
let app: FastifyInstance;
beforeAll(async () => {
  service = await sharedService();
  const { context } = service;
  app = await createHttp(context.log, context.metrics, context.publicUrl, [], context.signer);
  const done = () => ({ status: 200 as const, body: { done: true as const } });
  serveRoutes(app, createAuthorize(context), context, [route(done, ending), route(done, lasting)]);
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const headersAt = async (url: string) => (await app.inject({ url })).headers;

test('an endpoint that will end says so in each answer, refusals too', async () => {
  const headers = await headersAt('/api/v1/ending'); // without a credential: 401
  expect(headers).toMatchObject({ deprecation: '@1799971200', sunset: 'Mon, 31 Jan 2028 00:00:00 GMT' });
  expect(headers.link).toBe(
    '</docs/changes.md>; rel="deprecation"; type="text/markdown", ' +
      '</docs/changes.md>; rel="sunset"; type="text/markdown", ' +
      '</api/v1/openapi.json?operation=readJob>; rel="successor-version"',
  );
  for (const name of ['deprecation', 'sunset', 'link'])
    expect(await headersAt('/api/v1/lasting')).not.toHaveProperty(name);
});

test('the page that its Link names exists', async () => {
  expect((await fetch(`${service.url}/docs/changes.md`)).status).toBe(200);
});

test('the document marks it, says when it ends, and lists its headers', () => {
  const operation = operationOf(ending, createComponents());
  expect(operation).toMatchObject({
    deprecated: true,
    description: 'Deprecated since 2027-01-15; it may be gone from 2028-01-31 on. Use `readJob` instead.',
    responses: { 200: { headers: { Deprecation: {}, Sunset: {}, Link: {} } } },
  });
  expect(operationOf(lasting, createComponents())).not.toHaveProperty('deprecated');
});
