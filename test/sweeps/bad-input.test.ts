import { request } from 'node:http';
import Type, { type TObject, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyStatus, type Endpoint, remembersKeys, scopeOf } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import {
  ask,
  credentialFor,
  goodBodies,
  createWorld,
  pathFor,
  prefixOf,
  said,
  secured,
  sendTo,
  titled,
  unknownId,
  type World,
  writingNothing,
} from '../support/every-endpoint.ts';
import { createJob } from '../support/jobs.ts';
import { newSession } from '../support/people.ts';
import { type As, authorizationOf } from '../support/harness.ts';
import { drawing, sweep, sweepUnchanged } from '../support/sweep.ts';
import { isRaw, swept, writes } from '../support/swept.ts';

let world: World;
beforeAll(async () => void (world = await createWorld()));
afterAll(() => world.service.close());

const takes = (schema: TSchema, value: unknown) => Compile(schema).Check(value);
const isBroken = (value: unknown) => typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());

/** Values of every sort, and those just outside the bounds of a schema. */
function valuesAround(schema: TSchema): unknown[] {
  const { maxLength = 3_000, maximum = 0, minimum = 0, items } = schema as Record<string, number>;
  const others = items ? valuesAround(items as unknown as TSchema).map((value) => [value]) : [];
  return [
    [null, true, 7, 1.5, -1, 2 ** 53, [], ['x'], ['x', 'x'], {}, { x: 1 }],
    ['', ' ', 'x', 'nul\0', 'lone \ud800', 'line\nbreak', '2026-02-30T00:00:00Z', '1', 'true'],
    ['x'.repeat(maxLength + 1), '𝒳'.repeat(maxLength + 1), minimum - 1, maximum + 1],
    others,
  ].flat(1);
}

/** Bodies that the schema of an endpoint does not take, each with a word on what is wrong with it. */
function badBodies(endpoint: Endpoint): [string, unknown][] {
  const schema: TObject = endpoint.body ?? Type.Object({});
  const good = goodBodies[endpoint.operationId] ?? {};
  const strangers = ['account_id', 'status', 'id', 'usage', 'role', 'scopes', 'created_at', 'constructor', 'x/y'];
  return [
    ...[[], [{}], 'text', 7, true, null].map((value): [string, unknown] => ['a body that is no object', value]),
    ...strangers
      .filter((name) => !Object.hasOwn(schema.properties, name))
      .map((name): [string, unknown] => [`/${name.replace('/', '~1')}`, { ...good, [name]: 'x' }]),
    ...(schema.required ?? []).map((name): [string, unknown] => {
      const { [name]: _, ...rest } = good as Record<string, unknown>;
      return [`/${name}`, rest];
    }),
    ...Object.entries(schema.properties).flatMap(([name, property]) =>
      valuesAround(property)
        .filter((value) => !takes(property, value) || isBroken(value))
        .map((value): [string, unknown] => [`/${name}`, { ...good, [name]: value }]),
    ),
  ];
}

const drawn = drawing();
describe('bodies: unknown, missing and wrong fields', () => {
  test('every endpoint with a body has a good one to start from', () => {
    const lacking = writes.filter(({ body, operationId }) => body && !takes(body, goodBodies[operationId]));
    expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
  });

  sweepUnchanged(
    'each',
    () => world.service,
    titled(swept.bodies.endpoints),
    async (endpoint) => {
      const wrong: string[] = [];
      for (const [place, body] of drawn(badBodies(endpoint), writes.indexOf(endpoint))) {
        const answer = await ask(world, endpoint, { raw: JSON.stringify(body), headers: json });
        const named = answer.body.error?.details?.map(({ location }: { location: string }) => location);
        const right = said(answer) === swept.bodies.promise(endpoint);
        if (!right || (place.startsWith('/') && !named.some((path: string) => path.startsWith(place))))
          wrong.push(`${place} ${JSON.stringify(body).slice(0, 200)}: ${said(answer)} ${named}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

const json = { 'content-type': 'application/json' };

/** As the service reads a query: digits are numbers, lists may use commas, everything else is text. */
function readAs(schema: TSchema, text: string): unknown {
  const { type } = schema as { type?: string };
  if (type === 'array') return text.split(',');
  return type === 'integer' && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

const strangers = ['unknown=x', 'account_id[]=x', '__proto__=x', 'constructor=x', 'toString=', '=x'];

function badQueries(endpoint: Endpoint): string[] {
  const { properties = {} } = endpoint.query ?? {};
  const texts = ['', ' ', 'x', '-1', '0', '101', '1.5', '1e1', '0x10', ' 5', '05', '9'.repeat(20), 'null', 'nul\0'];
  const times = ['2026-02-30T00:00:00Z', '2016-12-31T23:59:60Z', '2026-01-01', '+275760-09-13T00:00:00Z'];
  return [
    ...(swept.queries.endpoints.includes(endpoint) ? strangers : []),
    ...Object.entries(properties).flatMap(([name, schema]) => {
      const { maxLength = 10_000, type } = schema as { maxLength?: number; type?: string };
      const bad = [...texts, ...times, 'x'.repeat(maxLength + 1)]
        .filter((text) => !takes(schema, readAs(schema, text)) || isBroken(text))
        .map((text) => `${name}=${encodeURIComponent(text)}`);
      const foreign = name === 'service_family' ? ['service_family=nothing'] : [];
      return [...bad, ...foreign, ...(type === 'array' ? [] : [`${name}=1&${name}=1`])];
    }),
  ];
}

describe('queries: unknown, repeated and wrong parameters', () => {
  const read = endpoints.filter((endpoint) => !isRaw(endpoint));
  const askWith = (endpoint: Endpoint, query: string) =>
    sendTo(world.service, endpoint, `${pathFor(endpoint).split('?')[0]}?${query}`, {
      as: credentialFor(endpoint, world),
      ...(endpoint.body ? { body: goodBodies[endpoint.operationId] } : {}),
    });

  const refusing = read.filter((endpoint) => badQueries(endpoint).length > 0);
  sweepUnchanged(
    'each',
    () => world.service,
    titled(refusing),
    async (endpoint) => {
      const wrong: string[] = [];
      for (const query of badQueries(endpoint)) {
        const answer = await askWith(endpoint, query);
        if (said(answer) !== swept.queries.promise()) wrong.push(`${query.slice(0, 100)}: ${said(answer)}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  const ignoring = read.filter((endpoint) => !swept.queries.endpoints.includes(endpoint));
  sweep('unknown ones are ignored where the specification lists no 400', titled(ignoring), async (endpoint) => {
    const plain = said(await askWith(endpoint, ''));
    expect(plain).not.toMatch(/^(400|5)/);
    for (const query of strangers) expect(said(await askWith(endpoint, query)), query).toBe(plain);
  });

  test('parameters that checkout brings back change nothing on a route without a query', async () => {
    await writingNothing(world.service, async () => {
      const path = '/api/v1/me?session=x&plan=studio&paid=1&success=1&cancel=0&payment=x';
      const bought = await world.service.call('GET', path, { as: world.key });
      expect(bought.body).toEqual((await world.service.call('GET', '/api/v1/me', { as: world.key })).body);
    });
  });
});

describe('what is wrong is said in words', () => {
  const draft = { ...(goodBodies['createJob'] as object) };
  const title = 'must be 1 to 200 code points after trimming, without control characters and without invisible ones';
  test.each<[string, string, object, string]>([
    ['POST', '/api/v1/jobs', { ...draft, customer_title: 'x'.repeat(201) }, `/customer_title: ${title}`],
    ['POST', '/api/v1/jobs', { ...draft, customer_title: 'a\nb' }, `/customer_title: ${title}`],
    ['POST', '/api/v1/jobs', { ...draft, customer_title: '  ' }, '/customer_title: must not be blank'],
    ['POST', '/api/v1/jobs', { ...draft, customer_instructions: '\n' }, '/customer_instructions: must not be blank'],
    ['POST', '/api/v1/intake/sessions', { service_family: 'design', message: ' ' }, '/message: must not be blank'],
    ['POST', '/api/v1/api-keys', { name: ' ' }, '/name: must not be blank'],
    [
      'POST',
      '/api/v1/api-keys',
      { name: 'a\tb' },
      '/name: must be 1 to 100 letters, digits, spaces, emoji and common punctuation, with a letter or digit, without a slash or a link such as www.example.com',
    ],
    [
      'POST',
      '/api/auth/sign-up/email',
      { name: 'Ada', email: 'ada at home', password: 'a good password' },
      '/email: must be an e-mail address, such as ada@example.com',
    ],
  ])('%s %s %j', async (method, path, body, message) => {
    expect((await world.service.call(method, path, { as: world.ada.token, body })).body.error.message).toBe(message);
  });

  test.each([
    ['/events?after=-1', 'after: must be at least 0'],
    ['/events?after=x', 'after: must be an integer'],
    ['?limit=101', 'limit: must be at most 100'],
    ['?limit=-1', 'limit: must be at least 1'],
  ])('%s', async (end, message) => {
    const path = end.startsWith('?') ? `/api/v1/jobs${end}` : `/api/v1/jobs/job_x${end}`;
    expect((await world.service.call('GET', path, { as: world.key })).body.error.message).toBe(message);
  });
});

describe('ids that name nothing', () => {
  const shapes = (endpoint: Endpoint) => {
    const unknown = unknownId(endpoint);
    return [
      [unknown.toUpperCase(), unknown.slice(0, -1), `${unknown}0`, `user_${unknown.split('_')[1]}`, unknown],
      ['x', '0', '-1', 'null', '%00', '%20', "'--", '%F0%9F%91%8D', '..%2f..', '{id}', 'x'.repeat(300)],
      ['01931d3c-0000-7000-8000-000000000000', `${unknown}%2fevents`, `${prefixOf(endpoint)}_`],
    ].flat();
  };

  sweepUnchanged(
    'each',
    () => world.service,
    titled(swept.ids.endpoints),
    async (endpoint) => {
      const wrong: string[] = [];
      const notFound = swept.ids.promise(endpoint);
      for (const id of shapes(endpoint)) {
        const answer = said(await ask(world, endpoint, { id }));
        if (answer !== notFound) wrong.push(`${id}: ${answer}`);
      }
      if (remembersKeys(endpoint)) {
        const answer = said(await ask(world, endpoint, { id: '%00', headers: { 'idempotency-key': 'nul' } }));
        if (answer !== notFound) wrong.push(`with a key: ${answer}`);
      }
      if (endpoint.body) {
        const answer = said(await ask(world, endpoint, { raw: '{"unknown":1}', headers: json }));
        if (answer !== `${bodyStatus(endpoint)} invalid_request`) wrong.push(`the body is not judged first: ${answer}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('Idempotency-Key', () => {
  sweepUnchanged(
    'each',
    () => world.service,
    titled(writes.filter(remembersKeys)),
    async (endpoint) => {
      const wrong: string[] = [];
      for (const key of ['', ' ', 'two words', 'x'.repeat(256), 'caf\u00e9', 'tab\there']) {
        const answer = await ask(world, endpoint, { headers: { 'idempotency-key': key } });
        if (said(answer) !== `${endpoint.idempotent} invalid_request`) wrong.push(`${key}: ${said(answer)}`);
      }
      for (const keys of [
        ['one', 'two'],
        ['same', 'same'],
        ['', 'one'],
      ]) {
        const answer = await sentTwice(endpoint, keys);
        if (answer !== `${endpoint.idempotent} invalid_request`) wrong.push(`${keys.join(' and ')}: ${answer}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('a key in quotes is another key than the bare one', async () => {
    const ids = [];
    for (const name of ['quoted', '"quoted"', "'quoted'", 'quoted'])
      ids.push((await createJob(world.service, world.key, {}, name)).body.job.id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
  });
});

/** What is said to a request with two lines of one header, which fetch would join. */
const sentTwice = (endpoint: Endpoint, keys: string[]) =>
  new Promise<string>((resolve, reject) => {
    const as =
      endpoint.auth === 'person' || endpoint.auth === 'manager' ? world.operator.token : credentialFor(endpoint, world);
    const headers = { ...authorizationOf(as), 'idempotency-key': keys };
    const sent = request(world.service.url + pathFor(endpoint), { method: endpoint.method, headers }, (got) => {
      let text = '';
      got.setEncoding('utf8').on('data', (part: string) => (text += part));
      got.on('end', () => resolve(said({ status: got.statusCode ?? 0, body: JSON.parse(text) })));
    });
    sent.on('error', reject);
    const body = goodBodies[endpoint.operationId];
    if (body) sent.setHeader('content-type', 'application/json');
    sent.end(body && JSON.stringify(body));
  });

describe('credentials', () => {
  /** Who is refused on an endpoint, and how. The body is broken, to show that the credential is judged first. */
  type Case = [who: string, as: As, refusal: string, headers?: Record<string, string>];
  let strangers: Case[];
  let revoked: string;

  beforeAll(async () => {
    const { service, ada } = world;
    const made = await service.call('POST', '/api/v1/api-keys', { as: ada.token, body: { name: 'revoked' } });
    revoked = made.body.plaintext_key;
    await service.call('DELETE', `/api/v1/api-keys/${made.body.api_key.id}`, { as: ada.token });
    const gone = await newSession(service, ada);
    await service.call('POST', '/api/auth/sign-out', { as: gone.token });
    const last = world.key.at(-1) === 'x' ? 'y' : 'x';
    const unauthenticated = (who: string, as: As, headers?: Record<string, string>): Case => [
      who,
      as,
      '401 unauthenticated',
      headers,
    ];
    strangers = [
      unauthenticated('nobody', null),
      unauthenticated('a revoked key', revoked),
      unauthenticated('a mistyped key', world.key.slice(0, -1) + last),
      unauthenticated('half a key', world.key.slice(0, 12)),
      unauthenticated('a key with another lead', world.key.replace('atl_', 'sk_')),
      unauthenticated('an ended session', gone.token),
      unauthenticated('an ended session as cookie', gone),
      unauthenticated('junk', 'junk'),
      unauthenticated('a forged session', `${ada.token.split('.')[0]}.forged`),
      unauthenticated('another scheme', null, { authorization: `Basic ${world.key}` }),
      unauthenticated('an empty bearer', null, { authorization: 'Bearer ' }),
      unauthenticated('a bad bearer beside a good cookie', ada, { authorization: 'Bearer junk' }),
      unauthenticated('a revoked key beside a good cookie', ada, { authorization: `Bearer ${revoked}` }),
      unauthenticated('two session cookies', { cookie: `${ada.cookie}; ${ada.cookie}`, csrf: ada.csrf }),
      unauthenticated('a key in the query', null),
    ];
  });

  function refusedOn(endpoint: Endpoint): Case[] {
    const { ada, eve, member, operator, key, readKey, writeKey } = world;
    const cases: Case[] = [...strangers];
    if (endpoint.auth === 'caller')
      cases.push(
        scopeOf(endpoint) === 'api:read'
          ? ['a key that may only write', writeKey, '403 insufficient_scope']
          : ['a key that may only read', readKey, '403 insufficient_scope'],
      );
    else cases.push(['a key', key, '403 credential_not_accepted']);
    if (endpoint.auth === 'manager') cases.push(['a member', member.token, '403 role_required']);
    if (endpoint.auth === 'operator' || endpoint.auth === 'desk')
      cases.push(['an owner', ada.token, '403 role_required'], ['an owner as browser', ada, '403 role_required']);
    const browser = endpoint.auth === 'operator' || endpoint.auth === 'desk' ? operator : ada;
    const forged = '403 csrf_token_invalid';
    if (endpoint.csrf)
      cases.push(
        ['a browser without CSRF token', { cookie: browser.cookie }, forged],
        ['a browser with an empty one', { cookie: browser.cookie, csrf: '' }, forged],
        ['a browser with that of another session', { cookie: browser.cookie, csrf: eve.csrf }, forged],
      );
    else if (endpoint.method !== 'GET')
      cases.push(
        ['a browser on another origin', { cookie: browser.cookie }, forged, { origin: 'https://evil.example' }],
        ['a browser on another site', { cookie: browser.cookie }, forged, { 'sec-fetch-site': 'cross-site' }],
      );
    return cases;
  }

  sweepUnchanged(
    'each',
    () => world.service,
    titled(secured),
    async (endpoint) => {
      const wrong: string[] = [];
      for (const [who, as, refusal, headers = {}] of refusedOn(endpoint)) {
        const raw = endpoint.method === 'GET' ? {} : { raw: '{', headers: { ...json, ...headers } };
        const answer = await ask(world, endpoint, { as, headers, ...raw });
        if (said(answer) !== refusal) wrong.push(`${who}: ${said(answer)}`);
        const challenged = answer.headers.get('www-authenticate')?.startsWith('Bearer') ?? false;
        if (challenged !== refusal.startsWith('401')) wrong.push(`${who}: WWW-Authenticate`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('a good bearer beside a cookie needs no CSRF token', async () => {
    const { ada } = world;
    const headers = { authorization: `Bearer ${ada.token}`, origin: 'https://evil.example' };
    for (const { method, path } of [{ method: 'GET', path: '/api/v1/api-keys' }]) {
      const { status } = await world.service.call(method, path, { as: { cookie: ada.cookie }, headers });
      expect(status).toBe(200);
    }
    const made = await world.service.call('POST', '/api/v1/api-keys', {
      as: { cookie: ada.cookie },
      headers,
      body: { name: 'by bearer' },
    });
    expect(made.status).toBe(201);
  });
});

test('the prototype of every object is as it was', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  expect(endpoints.filter(isRaw)).toHaveLength(1);
});
