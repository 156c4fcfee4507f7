import { get, type IncomingMessage } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { customerPages } from '../../contract/pages.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { unknownId } from '../../test/support/every-endpoint.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));
const ask = (path: string, init: RequestInit = {}) => fetch(service.url + path, { redirect: 'manual', ...init });

test('a slash at the end leads every route of the API to its address without it, with the query and the same method', async () => {
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/\{\w+\}/g, unknownId(endpoint));
    const answer = await ask(`${path}/?after=%2F%2Fevil.example&x=1`, { method: endpoint.method });
    expect([answer.status, answer.headers.get('location')], endpoint.operationId).toEqual([
      308,
      `${path}?after=%2F%2Fevil.example&x=1`,
    ]);
  }
});

test('a slash at the end leads pages to their addresses without it', async () => {
  const answer = await ask(`${customerPages.jobs}/`, { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('location')]).toEqual([308, customerPages.jobs]);
});

test.each([
  '//evil.example/',
  '/\\evil.example/',
  '/.//evil.example/',
  '//evil.example/api/v1/jobs/',
  '/%2Fevil.example/',
  '/api/v1/nothing/',
  '/api//',
])('a slash at the end leads %s nowhere', async (path) => {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const { hostname, port } = new URL(service.url);
  get({ hostname, port, path }, resolve);
  const { statusCode, headers } = await promise;
  expect([statusCode, headers.location]).toEqual([404, undefined]);
});

test('an address that has a slash at its end keeps it', async () => {
  for (const path of ['/', '/docs/']) expect((await ask(path)).headers.get('location') ?? '').not.toMatch(/^\/docs$/);
});
