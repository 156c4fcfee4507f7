import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyStatus, type Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import {
  ask,
  credentialFor,
  createWorld,
  pathFor,
  said,
  secured,
  send,
  titled,
  unknownId,
  type World,
} from '../support/every-endpoint.ts';
import { authorizationOf } from '../support/harness.ts';
import { newSession } from '../support/people.ts';
import { drawing, sweep, sweepUnchanged } from '../support/sweep.ts';
import { isRaw, writes } from '../support/swept.ts';

let world: World;
beforeAll(async () => void (world = await createWorld()));
afterAll(() => world.service.close());

const json = { 'content-type': 'application/json' };
const named = (paths: readonly string[]) => paths.map((path) => [path, path] as const);
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('401 unauthenticated, with a challenge, before anything else is looked at', () => {
  sweepUnchanged(
    'each',
    () => world.service,
    titled(secured),
    async (endpoint) => {
      for (const raw of endpoint.method === 'GET' ? [undefined] : [undefined, '{', 'x'.repeat(2 ** 20 + 1)]) {
        const answer = await ask(world, endpoint, {
          as: null,
          ...(raw ? { raw, headers: { 'content-type': 'x/y' } } : {}),
        });
        expect(said(answer)).toBe('401 unauthenticated');
        expect(answer.headers.get('www-authenticate')).toMatch(
          endpoint.auth === 'caller' ? /^Bearer scope="[^"]+", resource_metadata="[^"]+\/api\/v1"$/ : /^Bearer$/,
        );
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
    },
  );
});

describe('405 method_not_allowed, with Allow', () => {
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  sweepUnchanged(
    'each',
    () => world.service,
    named(paths),
    async (path) => {
      // `/jobs/preflight` is no `/jobs/{id}`.
      const example = path.replace(/\{\w+\}/g, 'x');
      const has = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }): string => method);
      const allowed = [...new Set(has)].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((each) => !has.includes(each))) {
        const answer = await send(world.service, method, example, { as: world.key });
        expect(said(answer), method).toBe('405 method_not_allowed');
        expect(answer.headers.get('allow')?.split(', ').toSorted(), method).toEqual(allowed.toSorted());
      }
    },
  );
});

describe('405 method_not_allowed, with Allow, beside the API document', () => {
  const documents = [
    '/',
    '/verify-email',
    '/docs',
    '/docs.md',
    '/docs/errors.md',
    '/llms.txt',
    '/llms-full.txt',
    '/skills/atelier/SKILL.md',
    '/robots.txt',
    '/.well-known/security.txt',
    '/.well-known/api-catalog',
    '/plans',
    '/plans?checkout=success',
  ];
  sweep('each', named(documents), async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await send(world.service, method, path, { as: world.key });
      expect(said(answer), method).toBe('405 method_not_allowed');
      expect(answer.headers.get('allow'), method).toBe('GET, HEAD');
    }
  });
});

describe('405 method_not_allowed, with Allow: what pages of other origins may read', () => {
  sweep('each', named(['/mcp/server-card', '/.well-known/ai-catalog.json']), async (path) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await send(world.service, method, path, { as: world.key });
      expect(said(answer), method).toBe('405 method_not_allowed');
      expect(answer.headers.get('allow')?.split(', ').toSorted(), method).toEqual(['GET', 'HEAD', 'OPTIONS']);
    }
  });
});

describe('404 not_found: there is no such route', () => {
  const unknown = ['/api', '/api/v2/jobs', '/api/v1/job', '//evil.example/api/v1/jobs', '/api/v1/JOBS'];
  sweep('each', named(unknown), async (path) => {
    for (const method of ['GET', 'POST'])
      expect(said(await send(world.service, method, path, { as: world.key }))).toBe('404 not_found');
    for (const type of ['application/json', 'text/plain']) {
      const sent = { as: world.key, raw: 'no JSON', headers: { 'content-type': type } };
      expect(said(await send(world.service, 'POST', path, sent))).toBe('404 not_found');
    }
  });

  test('404 also for an id that is longer than any id', async () => {
    const answer = await world.service.call('GET', `/api/v1/jobs/${'x'.repeat(2_000)}`, { as: world.key });
    expect(answer.status).toBe(404);
  });
});

type Plain = { headers?: Record<string, string | number>; body?: Buffer; end?: boolean };

/** A request with exactly these headers and the credential, which is not ended unless told so. */
const sendPlain = (
  endpoint: Endpoint,
  { headers = {}, body, end = false }: Plain,
  as = credentialFor(endpoint, world),
) =>
  new Promise<{ status: number; body: { error?: { code: string }; done?: true } }>((resolve, reject) => {
    const url = world.service.url + pathFor(endpoint);
    const sent = request(url, { method: endpoint.method, headers: { ...authorizationOf(as), ...headers } }, (got) => {
      let text = '';
      got.setEncoding('utf8').on('data', (part: string) => (text += part));
      got.on('end', () => {
        resolve({ status: got.statusCode ?? 0, body: JSON.parse(text) });
        sent.destroy();
      });
    });
    sent.on('error', reject);
    if (body) sent.write(body);
    else sent.flushHeaders();
    if (end) sent.end();
  });

describe('413 body_too_large', () => {
  sweep('each', titled([...writes, ...endpoints.filter(isRaw)]), async (endpoint) => {
    // Events of the provider may be larger than what callers send.
    const length = (isRaw(endpoint) ? 2 ** 20 : (endpoint.largestBody ?? 2 ** 19)) + 1;
    expect(said(await sendPlain(endpoint, { headers: { ...json, 'content-length': length } }))).toBe(
      '413 body_too_large',
    );
  });

  test('422 for a body of exactly 512 KiB, which is read', async () => {
    const raw = `{"x":"${'x'.repeat(2 ** 19 - 8)}"}`;
    expect(raw).toHaveLength(2 ** 19);
    const { status } = await world.service.call('POST', '/api/v1/jobs', { as: world.key, raw });
    expect(status).toBe(422);
  });
});

/** A body without a content type: its length is named, so that it is one. */
const untyped = { headers: { 'content-length': 2 }, body: bytes('{}'), end: true };

describe('415 unsupported_media_type', () => {
  const types = [
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonx',
    'application/vnd.api+json',
    'nonsense',
  ];
  sweepUnchanged(
    'each',
    () => world.service,
    titled(writes),
    async (endpoint) => {
      for (const type of types)
        // What a route without a body takes, it takes under any type.
        for (const raw of endpoint.body ? [bytes('{}'), bytes('{"a":"b"}')] : [bytes('{"a":"b"}')]) {
          const answer = await ask(world, endpoint, { raw, headers: { 'content-type': type } });
          expect(said(answer), type).toBe('415 unsupported_media_type');
        }
    },
  );
});

describe('415 unsupported_media_type: a body without a type where there is one to send', () => {
  sweep('each', titled(writes.filter(({ body }) => body)), async (endpoint) => {
    expect(said(await sendPlain(endpoint, untyped))).toBe('415 unsupported_media_type');
  });
});

const drawn = drawing();
describe('bodies that are not JSON that can be read', () => {
  const broken: [string, string | Uint8Array][] = [
    ['half an object', '{'],
    ['half a string', '{"a":"b'],
    ['two values', '{}{}'],
    ['a comment', '{/* */}'],
    ['a trailing comma', '{"a":1,}'],
    ['text', 'text'],
    ['NaN', '{"a":NaN}'],
    ['a raw NUL', '{"a":"\0"}'],
    ['an escaped NUL', '{"a":"\\u0000"}'],
    ['a NUL in a name', '{"\\u0000":1}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a lone surrogate in a name', '{"\\udc00":1}'],
    ['__proto__', '{"__proto__":{"x":1}}'],
    ['__proto__, escaped', '{"\\u005f_proto__":{"x":1}}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"x":1}}}'],
    ['invalid UTF-8', bytes('{"a":"', [0xff, 0xfe], '"}')],
    ['overlong UTF-8', bytes('{"a":"', [0xc0, 0xaf], '"}')],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['nesting without end', '['.repeat(100_000)],
    ['deep nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['many names', `{${Array.from({ length: 9_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['a field that stands twice', '{"a":1,"a":1}'],
    ['numbers out of range', '{"a":1e400,"b":-0,"c":9007199254740993}'],
  ];
  sweepUnchanged(
    'each',
    () => world.service,
    titled(writes),
    async (endpoint) => {
      const wrong: string[] = [];
      for (const [name, raw] of drawn(broken, writes.indexOf(endpoint))) {
        const answer = await ask(world, endpoint, { raw, headers: json });
        const length = JSON.stringify(answer.body).length;
        const tooLarge = endpoint.path.startsWith('/api/auth/') && Buffer.byteLength(raw) > 16 * 1024;
        const expected = tooLarge ? '413 body_too_large' : `${bodyStatus(endpoint)} invalid_request`;
        if (said(answer) !== expected) wrong.push(`${name}: ${said(answer)}`);
        if (length > 5_000) wrong.push(`${name}: an answer of ${length} characters`);
      }
      expect(wrong).toEqual([]);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    },
  );
});

describe('routes without a body take none, or {}, with or without a JSON content type', () => {
  const empty: Record<string, Plain> = {
    nothing: { end: true },
    'nothing, as JSON': { headers: { ...json, 'content-length': 0 }, end: true },
    '{}': { headers: { ...json, 'content-length': 2 }, body: bytes('{}'), end: true },
    '{} with a charset': {
      headers: { 'content-type': 'Application/JSON; charset=UTF-8', 'content-length': 4 },
      body: bytes(' {} '),
      end: true,
    },
    '{} without a type': untyped,
    'nothing, as curl sends it': {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 0 },
      end: true,
    },
    '{} as curl sends it': {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 2 },
      body: bytes('{}'),
      end: true,
    },
    '{} as fetch sends it': {
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'content-length': 2 },
      body: bytes('{}'),
      end: true,
    },
  };
  sweep('each', titled(writes.filter(({ body }) => !body)), async (endpoint) => {
    const answers = [];
    for (const [name, plain] of Object.entries(empty)) {
      // Signing out ends the session that asks.
      const as = endpoint.auth === 'person' ? (await newSession(world.service, world.ada)).token : undefined;
      const { status, body } = await sendPlain(endpoint, plain, as);
      const { error, done } = body;
      answers.push([name, status, error?.code ?? done]);
    }
    const [, status, word] = answers[0]!;
    expect(answers).toEqual(Object.keys(empty).map((name) => [name, status, word]));
    expect(endpoint.params ? 404 : Number(Object.keys(endpoint.answers)[0])).toBe(status);
  });
});

describe('X-Request-Id', () => {
  sweep('each', titled(endpoints), async (endpoint) => {
    const mine = 'My.own-id_1';
    const answer = await ask(world, endpoint, { as: null, id: unknownId(endpoint), headers: { 'x-request-id': mine } });
    expect(answer.headers.get('x-request-id')).toBe(mine);
    expect(answer.body?.error?.request_id ?? mine).toBe(mine);
  });

  test('128 characters are kept', async () => {
    const mine = 'x'.repeat(128);
    const { headers } = await world.service.call('GET', '/nowhere', { headers: { 'x-request-id': mine } });
    expect(headers.get('x-request-id')).toBe(mine);
  });
});

test('HEAD answers as GET does, without a body', async () => {
  const head = await fetch(`${world.service.url}/api/v1/catalog`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(head.headers.get('etag')).toBeTruthy();
});
