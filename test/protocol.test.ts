import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type Service } from './harness.ts';

/** What is hardly HTTP: sent over a raw socket. Every answer has the envelope, or there is none and the socket closes. */

let service: Service;
beforeAll(async () => void (service = await openService()));
afterAll(() => service.close());

/** All that comes back before the service closes the socket, or after the first whole answer. */
function exchange(request: string | Buffer, { half = false } = {}): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(request);
      if (half) socket.end();
    });
    const whole = () => {
      const [head = '', body = ''] = got.split('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      return length !== undefined && Buffer.byteLength(body) >= Number(length);
    };
    socket.on('data', (chunk) => {
      got += chunk.toString();
      if (whole()) socket.destroy();
    });
    socket.on('close', () => resolve(got));
    socket.on('error', () => resolve(got));
  });
}

function answered(got: string) {
  const [head = '', body = ''] = got.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
  const id = /x-request-id: (\S+)/i.exec(head)?.[1];
  const { error } = JSON.parse(body) as { error: { code: string; request_id: string; action: string } };
  expect(error.request_id).toBe(id);
  expect(error.action).not.toBe('');
  return `${status} ${error.code}`;
}

const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');
const post = (path: string, body: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', ...headers, '', body].join('\r\n');

describe('not HTTP', () => {
  test.each([
    ['garbage', 'hello there\r\n\r\n'],
    ['a bare line feed in a header', 'GET /api/v1/catalog HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n'],
    ['a folded header', 'GET /api/v1/catalog HTTP/1.1\r\nHost: a\r\nX: a\r\n b: c\r\nY\r\n\r\n'],
    [
      'length and chunked together',
      post('/api/v1/jobs', '0\r\n\r\n', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    ],
    ['two lengths', post('/api/v1/jobs', '{}', 'Content-Length: 2', 'Content-Length: 3')],
    ['a length that is no number', post('/api/v1/jobs', '{}', 'Content-Length: two')],
    ['a bad chunk size', post('/api/v1/catalog/intent-check', 'zz\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked')],
    ['headers of 100 kB', get('/api/v1/catalog', `X-Big: ${'x'.repeat(100_000)}`)],
  ])('400 invalid_request: %s', async (_what, request) => {
    expect(answered(await exchange(request))).toBe('400 invalid_request');
  });

  test('400 invalid_request: no Host', async () => {
    expect(answered(await exchange('GET /api/v1/catalog HTTP/1.1\r\n\r\n'))).toBe('400 invalid_request');
    expect(answered(await exchange('GET /docs HTTP/1.0\r\n\r\n'))).toBe('400 invalid_request');
  });
});

describe('targets', () => {
  test.each(['/%zz', '/api/v1/jobs/%E0%A4%A', '/api/v1/jobs/%', '/%00%ff'])('%s is no 500', async (target) => {
    expect(answered(await exchange(get(target)))).toMatch(/^(400 invalid_request|401 unauthenticated|404 not_found)$/);
  });

  test.each([
    'http://other.example/api/v1/me',
    '//other.example/api/v1/me',
    '/api/v1/../v1/me',
    '/api/v1/nothing',
    '*',
  ])('404 not_found: %s', async (target) => {
    expect(answered(await exchange(get(target)))).toBe('404 not_found');
  });

  test('an id of 300 bytes names nothing', async () => {
    expect(answered(await exchange(get(`/api/v1/jobs/${'x'.repeat(300)}`)))).toMatch(/^(401|404)/);
    expect(answered(await exchange(get(`/api/v1/jobs/${'x'.repeat(5_000)}`)))).toMatch(/^(400|401|404)/);
  });
});

describe('methods', () => {
  test.each(['TRACE', 'PROPFIND', 'PUT', 'PATCH', 'OPTIONS'])(
    '405 method_not_allowed: %s on a known path',
    async (method) => {
      const got = await exchange(get('/api/v1/catalog').replace('GET', method));
      expect(answered(got)).toBe('405 method_not_allowed');
      expect(got).toMatch(/\r\nallow: GET, HEAD\r\n/i);
    },
  );

  test('CONNECT closes the socket', async () => {
    expect(await exchange('CONNECT other.example:443 HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('');
  });

  test('an unknown expectation is passed over', async () => {
    expect(await exchange(get('/healthz', 'Expect: miracles'))).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('bodies', () => {
  const asked = (body: string, ...headers: string[]) =>
    exchange(post('/api/v1/catalog/intent-check', body, `Content-Length: ${Buffer.byteLength(body)}`, ...headers));

  test.each([
    ['a repeated field', '{"service_family":"design","service_family":"data"}'],
    ['a repeated field, one escaped', '{"service_family":"design","service\\u005ffamily":"data"}'],
    ['a repeated field inside', '{"service_family":{"a":[{"b":1,"b":2}]}}'],
    ['__proto__', '{"__proto__":{"x":1}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"x":1}}}'],
    ['20,000 arrays deep', `{"service_family":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['200,000 objects deep', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
    ['1e400', '{"service_family":1e400}'],
    ['a lone surrogate', '{"service_family":"\\ud800"}'],
    ['NUL', '{"service_family":"a\\u0000b"}'],
    ['a byte order mark alone', '\ufeff'],
    ['half a document', '{"service_family":'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
  ])('422 invalid_request: %s', async (_what, body) => {
    expect(answered(await asked(body))).toBe('422 invalid_request');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('413 body_too_large: a length over 1 MiB, before the body comes', async () => {
    const got = await exchange(post('/api/v1/catalog/intent-check', '{', `Content-Length: ${1024 * 1024 + 1}`));
    expect(answered(got)).toBe('413 body_too_large');
    expect(got).toMatch(/connection: close/i);
  });

  test('413 body_too_large: chunks without an end', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const got = await exchange(post('/api/v1/catalog/intent-check', chunk.repeat(20), 'Transfer-Encoding: chunked'));
    expect(answered(got)).toBe('413 body_too_large');
  });

  test('a body that breaks off leaves the service alive', async () => {
    await exchange(post('/api/v1/catalog/intent-check', '{"a"', 'Content-Length: 100'), { half: true });
    expect((await service.call('GET', '/healthz')).status).toBe(200);
  });

  test('a body that comes too slowly is answered within six seconds', async () => {
    const began = Date.now();
    const got = await exchange(post('/api/v1/catalog/intent-check', '{"a"', 'Content-Length: 100'));
    expect(answered(got)).toBe('400 invalid_request');
    expect(Date.now() - began).toBeLessThan(6_000);
  });

  test('a body that nobody reads does not hold the socket', async () => {
    const began = Date.now();
    const got = await exchange(post('/api/v1/jobs', '{"a"', 'Content-Length: 100'));
    expect(answered(got)).toBe('401 unauthenticated');
    expect(got).toMatch(/connection: close/i);
    expect(Date.now() - began).toBeLessThan(1_000);
  });
});

describe('X-Request-Id', () => {
  test.each(['', 'a b', 'é', 'x'.repeat(129), '<script>'])('%s is replaced by one of ours', async (given) => {
    expect(await exchange(get('/healthz', `X-Request-Id: ${given}`))).toMatch(/x-request-id: req_[0-9a-z]{26}\r\n/i);
  });

  test('given twice it is replaced', async () => {
    expect(await exchange(get('/healthz', 'X-Request-Id: a', 'X-Request-Id: b'))).toMatch(/x-request-id: req_/i);
  });

  test('a good one is echoed', async () => {
    expect(await exchange(get('/healthz', `X-Request-Id: ${'x'.repeat(128)}`))).toContain('x'.repeat(128));
  });
});
