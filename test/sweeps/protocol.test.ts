import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goodPassword } from '../support/people.ts';
import { createService, type Service } from '../support/harness.ts';

/** What is hardly HTTP: sent over a raw socket. Every answer has the envelope. */

let service: Service;
beforeAll(async () => void (service = await createService({}, { answerWithin: 5_000 })));
afterAll(() => service.close());

/** All that comes back before the service closes the socket, or, unless it is to close, until the first whole answer. */
function exchange(request: string | Buffer, { half = false, closes = false } = {}): Promise<string> {
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
      if (whole() && !closes) socket.destroy();
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
    ['bare line feeds', get('/api/v1/catalog').replaceAll('\r', '')],
    ['a bare line feed between headers', get('/api/v1/catalog', 'X: a\nY: b')],
    ['a bare carriage return in a header', get('/api/v1/catalog', 'X: a\rY: b')],
    ['a folded header', get('/api/v1/catalog', 'X: a', ' b')],
    ['a header with a space before its colon', get('/api/v1/catalog', 'X : a')],
    ['NUL in a header', get('/api/v1/catalog', 'X: a\0b')],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'length and chunked together',
      post('/api/v1/jobs', '0\r\n\r\n', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    ],
    ['two lengths', post('/api/v1/jobs', '{}', 'Content-Length: 2', 'Content-Length: 3')],
    ['two lengths that agree', post('/api/v1/jobs', '{}', 'Content-Length: 2', 'Content-Length: 2')],
    ['chunked, but not at last', post('/api/v1/jobs', '0\r\n\r\n', 'Transfer-Encoding: chunked, identity')],
    ['another coding', post('/api/v1/jobs', '0\r\n\r\n', 'Transfer-Encoding: xchunked')],
    ['a length that is no number', post('/api/v1/jobs', '{}', 'Content-Length: two')],
    ['a bad chunk size', post('/api/v1/catalog/intent-check', 'zz\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked')],
  ])('400 invalid_request, and the socket closes: %s', async (_what, request) => {
    const got = await exchange(request, { closes: true });
    expect(answered(got)).toBe('400 invalid_request');
    expect(got).toMatch(/\r\nconnection: close\r\n/i);
  });

  test.each([20_000, 100_000])('431 invalid_request, and the socket closes: headers of %i bytes', async (bytes) => {
    const got = await exchange(get('/api/v1/catalog', `X-Big: ${'x'.repeat(bytes)}`), { closes: true });
    expect(answered(got)).toBe('431 invalid_request');
    expect(got).toMatch(/at most 16 KiB of headers/);
  });

  test.each([
    ['no Host', 'GET /api/v1/catalog HTTP/1.1\r\n\r\n'],
    ['no Host on a probe', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['two Hosts', get('/api/v1/catalog', 'host: b')],
    ['no Host in HTTP/1.0', 'GET /docs HTTP/1.0\r\n\r\n'],
  ])('400 invalid_request, and the socket closes: %s', async (_what, request) => {
    const got = await exchange(request, { closes: true });
    expect(answered(got)).toBe('400 invalid_request');
    expect(got).toMatch(/\r\nconnection: close\r\n/i);
  });

  test.each(['/healthz', '/readyz'])('a balancer that speaks HTTP/1.0 needs no Host: %s', async (path) => {
    expect(await exchange(`GET ${path} HTTP/1.0\r\n\r\n`, { closes: true })).toMatch(/^HTTP\/1\.1 (200|503)/);
  });
});

describe('targets', () => {
  test.each(['/%zz', '/api/v1/jobs/%E0%A4%A', '/api/v1/jobs/%', '/%00%ff'])('%s is no 500', async (target) => {
    expect(answered(await exchange(get(target)))).toMatch(/^(400 invalid_request|401 unauthenticated|404 not_found)$/);
  });

  test.each([
    'ftp://other.example/api/v1/me',
    'http://some:body@other.example/api/v1/me',
    '//other.example/api/v1/me',
    '/api/v1/../v1/me',
    '/api/v1/nothing',
    '*',
  ])('404 not_found: %s', async (target) => {
    expect(answered(await exchange(get(target)))).toBe('404 not_found');
  });

  test.each([
    ['http://other.example/api/v1/me', '401 unauthenticated'],
    ['HTTPS://other.example:8443/api/v1/jobs?limit=0', '401 unauthenticated'],
    ['http://other.example/api/v1/nothing', '404 not_found'],
    ['http://other.example?a=b', '405 method_not_allowed'],
    ['http://other.example', '405 method_not_allowed'],
  ])('the absolute form is answered as its path: %s, %s', async (target, answer) => {
    const method = answer.startsWith('405') ? 'PUT' : 'GET';
    expect(answered(await exchange(get(target).replace('GET', method)))).toBe(answer);
  });

  test('the host of the absolute form counts, and not the header', async () => {
    const askedBy = (target: string, host: string) =>
      exchange(get(target, 'Accept: application/json').replace('Host: a', `Host: ${host}`));
    expect(await askedBy('http://localhost/sandbox/mail', 'other.example')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await askedBy('http://other.example/sandbox/mail', 'localhost')).toMatch(/^HTTP\/1\.1 404 /);
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

  test.each(['other.example:443', '127.0.0.1:1', '/api/v1/catalog'])(
    '404 not_found, and the socket closes: CONNECT %s',
    async (target) => {
      const asked = get(target, 'X-Request-Id: mine').replace('GET', 'CONNECT');
      const got = await exchange(asked, { closes: true });
      expect(answered(got)).toBe('404 not_found');
      expect(got).toMatch(/\r\nx-request-id: mine\r\n/i);
      expect(got).toMatch(/\r\nconnection: close\r\n/i);
      // What else comes is no second request.
      const two = await exchange(asked + get('/healthz'), { closes: true });
      expect(two.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    },
  );

  test('CONNECT holds no socket of a caller who keeps it half open', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write(get('other.example:443').replace('GET', 'CONNECT'));
    await once(socket.resume(), 'end');
    // Who writes to a socket that is closed whole is told.
    const failed = once(socket, 'error');
    const writing = setInterval(() => socket.write('x'), 20);
    expect(await failed).toMatchObject([{ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) }]);
    clearInterval(writing);
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
    ['9,000 objects deep', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
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

  test('415 unsupported_media_type: a compressed body', async () => {
    const got = await asked('\x1f\x8b\x08', 'Content-Encoding: gzip');
    expect(answered(got)).toBe('415 unsupported_media_type');
    expect(got).toContain('without Content-Encoding');
    expect(answered(await asked('{}', 'Content-Encoding: identity'))).toBe('422 invalid_request');
  });

  test('413 body_too_large: a length over 512 KiB, before the body comes', async () => {
    const got = await exchange(post('/api/v1/catalog/intent-check', '{', `Content-Length: ${512 * 1024 + 1}`));
    expect(answered(got)).toBe('413 body_too_large');
    expect(got).toMatch(/connection: close/i);
  });

  test('413 body_too_large: chunks without an end', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const got = await exchange(post('/api/v1/catalog/intent-check', chunk.repeat(20), 'Transfer-Encoding: chunked'));
    expect(answered(got)).toBe('413 body_too_large');
  });

  test('413 body_too_large: of a flood in chunks no more is read than a connection holds', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const chunk = `100000\r\n${'x'.repeat(2 ** 20)}\r\n`;
    socket.write(post('/api/v1/catalog/intent-check', '', 'Transfer-Encoding: chunked'));
    const flood = () => void (socket.writable && socket.bytesWritten < 2 ** 28 && socket.write(chunk, flood));
    flood();
    await closed;
    expect(socket.bytesWritten).toBeLessThan(2 ** 25);
  });

  test('the rest of a body longer than its length is not read as a request', async () => {
    const body = `{"service_family":"design"}GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`;
    const asked = post('/api/v1/catalog/intent-check', body, 'Content-Length: 25');
    const got = await exchange(asked, { closes: true });
    expect(answered(got)).toBe('400 invalid_request');
    expect(got).not.toContain('HTTP/1.1 200');
  });

  test('a body that breaks off leaves the service alive', async () => {
    await exchange(post('/api/v1/catalog/intent-check', '{"a"', 'Content-Length: 100'), { half: true });
    expect((await service.call('GET', '/healthz')).status).toBe(200);
  });

  test('a body that comes too slowly is answered', async () => {
    const got = await exchange(post('/api/v1/catalog/intent-check', '{"a"', 'Content-Length: 100'));
    expect(answered(got)).toBe('400 invalid_request');
  });

  test('a connection that asks nothing is closed without an answer', async () => {
    // A browser opens some ahead: what is written to one would answer the request that it sends at that moment.
    expect(await exchange('')).toBe('');
    expect((await service.call('GET', '/healthz')).status).toBe(200);
  });

  test('a body that nobody reads does not hold the socket', async () => {
    const began = Date.now();
    const got = await exchange(post('/api/v1/jobs', '{"a"', 'Content-Length: 100'));
    expect(answered(got)).toBe('401 unauthenticated');
    expect(got).toMatch(/connection: close/i);
    // The deadline of this service is five seconds.
    expect(Date.now() - began).toBeLessThan(4_500);
  });
});

describe('a refused request whose body is still sent', () => {
  test.each([
    ['404 not_found', '/api/v1/nothing'],
    ['401 unauthenticated', '/api/v1/jobs'],
    ['413 body_too_large', '/api/v1/catalog/intent-check'],
  ])('%s reaches a caller who reads it once all is sent', async (expected, path) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).pause();
    socket.on('error', () => {}); // `text` throws it
    socket.write(post(path, '', 'Content-Length: 1048576'));
    for (let n = 0; n < 16; n++) {
      socket.write('['.repeat(65_536));
      await setTimeout(20);
    }
    expect(answered(await text(socket))).toBe(expected);
    socket.destroy();
  });

  test('what follows it on the connection is no second request', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write(post('/api/v1/nothing', '{"a"', 'Content-Length: 7'));
    await once(socket, 'data');
    const person = { email: 'ada@example.com', password: goodPassword };
    const body = JSON.stringify({ name: 'Ada', ...person });
    socket.write(`: 1${post('/api/auth/sign-up/email', body, `Content-Length: ${body.length}`)}`);
    await setTimeout(1_000);
    socket.destroy();
    expect((await service.call('POST', '/api/auth/sign-in/email', { body: person })).status).toBe(401);
  });

  test('the connection ends after two seconds, whether the rest comes or not', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write(post('/api/v1/nothing', '{"a"', 'Content-Length: 100'));
    await once(socket.resume(), 'end'); // the answer, and the service's side of the connection
    const ended = performance.now();
    const failed = once(socket, 'error');
    const writing = setInterval(() => socket.write('x'), 100);
    expect(await failed).toMatchObject([{ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) }]);
    clearInterval(writing);
    expect(performance.now() - ended).toBeGreaterThan(1_500);
  });
});

describe('X-Request-Id', () => {
  test.each([
    ['nothing', ''],
    ['with a space', 'a b'],
    ['with a tab', 'a\tb'],
    ['with a comma', 'a,b'],
    ['with a letter beyond ASCII', 'é'],
    ['with markup', '<script>'],
    ['of 129 characters', 'x'.repeat(129)],
    ['of 8 kB', 'x'.repeat(8_000)],
  ])('%s is replaced by one of ours', async (_what, given) => {
    const got = await exchange(get('/healthz', `X-Request-Id: ${given}`));
    expect(got).toMatch(/^HTTP\/1\.1 200/);
    expect(got).toMatch(/x-request-id: req_[0-9a-z]{26}\r\n/i);
  });

  test('given twice it is replaced', async () => {
    expect(await exchange(get('/healthz', 'X-Request-Id: a', 'X-Request-Id: b'))).toMatch(/x-request-id: req_/i);
  });

  test('a good one is echoed', async () => {
    expect(await exchange(get('/healthz', `X-Request-Id: ${'x'.repeat(128)}`))).toContain('x'.repeat(128));
  });
});
