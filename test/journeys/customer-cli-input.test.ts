import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../client/cli/run.ts';
import { sharedOptions } from '../../client/cli/command.ts';
import document from '../../client/openapi.json' with { type: 'json' };
import packed from '../../client/package.json' with { type: 'json' };
import { runToEnd } from '../support/command-line.ts';

/** What is typed, for every command and every operation of the document, against a server that notes down what it is asked. */

type Asked = { method: string; url: URL; headers: IncomingHttpHeaders; body: string };

async function createRecorder() {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', headers } = request;
    asked.push({ method, url: new URL(request.url ?? '', 'http://recorder'), headers, body: await text(request) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, close: () => server.close() };
}

type Recorder = Awaited<ReturnType<typeof createRecorder>>;
let [service, stranger]: Recorder[] = [];
beforeAll(async () => {
  [service, stranger] = [await createRecorder(), await createRecorder()];
});
afterEach(() => {
  for (const { asked } of [service!, stranger!]) asked.length = 0;
});
afterAll(() => {
  service!.close();
  stranger!.close();
});

const atelier = (words: string[], ATELIER_URL = service!.url) =>
  runToEnd(run, words, { env: { ATELIER_URL, ATELIER_KEY: 'atl_secret', XDG_CONFIG_HOME: '/nonexistent' } });

type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
};
type Field = { name: string; in: string; required?: boolean; schema: Schema };
type Operation = {
  operationId: string;
  parameters?: (Field | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

const schemas = document.components.schemas as Record<string, Schema>;
const resolve = (schema: Schema): Schema => (schema.$ref ? schemas[schema.$ref.split('/').at(-1)!]! : schema);
const typesOf = (schema: Schema): string[] =>
  schema.anyOf?.flatMap((one) => typesOf(resolve(one))) ?? [resolve(schema).type ?? []].flat();

const shared = document.components.parameters as Record<string, Field>;
const parameterOf = (given: Field | { $ref: string }): Field =>
  '$ref' in given ? shared[given.$ref.split('/').at(-1)!]! : given;

const paths = document.paths as unknown as Record<string, Record<string, Operation>>;
const operations = Object.values(paths).flatMap((methods) =>
  Object.entries(methods).map(([method, { operationId, parameters = [], requestBody }]) => {
    const { properties = {}, required = [] } = resolve(requestBody?.content['application/json']?.schema ?? {});
    const ofBody = Object.entries(properties).map(([name, schema]) => {
      return { name, in: 'body', required: required.includes(name), schema };
    });
    return { operationId, method: method.toUpperCase(), fields: [...parameters.map(parameterOf), ...ofBody] };
  }),
);

/** What is typed for a field: an address where a text is asked for, as `--url` of a webhook. */
function typed({ name, schema }: Field): { args: string[]; value: unknown } {
  const types = typesOf(schema);
  if (types.includes('string')) return { args: [`--${name}`, stranger!.url], value: stranger!.url };
  if (types.includes('array'))
    return { args: [`--${name}`, stranger!.url, `--${name}`, 'two'], value: [stranger!.url, 'two'] };
  const value = types.includes('boolean') ? true : types.includes('integer') ? 7 : { a: 1 };
  return { args: [`--${name}`, JSON.stringify(value)], value };
}

describe('the fields of an operation', () => {
  test.each(operations)(
    '$operationId: each is sent in its place, and the key to the service alone',
    async (operation) => {
      const { operationId, method, fields } = operation;
      await atelier(['api', operationId, ...fields.flatMap((field) => typed(field).args)]);
      expect(stranger!.asked).toEqual([]);
      const [asked, ...more] = service!.asked;
      expect([asked?.method, asked?.headers.authorization, more]).toEqual([method, 'Bearer atl_secret', []]);
      const body = asked!.body === '' ? {} : JSON.parse(asked!.body);
      for (const field of fields) {
        const { value } = typed(field);
        if (field.in === 'path') expect(decodeURIComponent(asked!.url.pathname)).toContain(value);
        if (field.in === 'query')
          expect(asked!.url.searchParams.getAll(field.name)).toEqual([value].flat().map(String));
        if (field.in === 'header') expect(asked!.headers[field.name.toLowerCase()]).toBe(value);
        if (field.in === 'body') expect(body[field.name]).toEqual(value);
      }
    },
  );

  test('a shared option that is one of them is the field: known ones only', () => {
    const shared = [...Object.keys(sharedOptions), 'body'];
    const colliding = operations.flatMap(({ operationId, fields }) =>
      fields.filter(({ name }) => shared.includes(name)).map(({ name }) => `${operationId} ${name}`),
    );
    expect(colliding).toEqual([
      'createWebhookEndpoint url',
      'updateWebhookEndpoint url',
      'addNote body',
      'replaceAccountNote body',
    ]);
    for (const { fields } of operations) expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
  });

  test.each(operations)('$operationId --help: its fields, and which are required', async ({ operationId, fields }) => {
    const { code, out } = await atelier(['api', operationId, '--help']);
    expect(code).toBe(0);
    expect(service!.asked).toEqual([]);
    for (const { name, required = false } of fields) {
      const line = out.split('\n').find((one) => one.startsWith(`  --${name} `));
      expect([name, line?.includes('(required)')]).toEqual([name, required]);
    }
    expect(out.indexOf('\n  --profile ')).toBeGreaterThan(out.indexOf(`\n  --${fields.at(-1)?.name ?? 'json'} `));
  });
});

describe('misuse', () => {
  test('a text that is not quoted is refused by every command, before anything is done', async () => {
    const { out } = await atelier(['--help']);
    const names = [...out.matchAll(/^ {2}([a-z]+) /gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'upload');
    expect(names.length).toBeGreaterThan(15);
    for (const name of names.filter((one) => one !== 'api'))
      expect(await atelier([name, 'job_1', 'A', 'darker', 'green']), name).toMatchObject({
        code: 2,
        err: expect.stringMatching(/is one argument too many\..*quotes/s),
      });
    const { err } = await atelier(['revise', 'job_1', 'A', 'darker', 'green', '--yes']);
    expect(err).toMatch(/^error: darker is one/);
    expect(service!.asked).toEqual([]);
  });

  test.each(['nonsense', 'localhost:3000', 'ftp://127.0.0.1', 'http://'])(
    'the address %s: refused with what one looks like, as option and as variable',
    async (address) => {
      const action = 'An address begins with its scheme: https://atelier.example.com, http://localhost:3000';
      const err = `error: ${address} is no address of a service.\n  next  ${action}\n`;
      const refusal = { code: 2, out: '', err };
      const commands = [['jobs'], ['api', 'listPlans'], ['mcp'], ['login']];
      for (const words of commands) expect(await atelier([...words, '--url', address])).toEqual(refusal);
      for (const words of commands) expect(await atelier(words, address)).toEqual(refusal);
    },
  );

  test.each([
    [
      'an option before the operation',
      ['--url', 'http://127.0.0.1:9', 'createWebhookEndpoint'],
      /comes before its options/,
    ],
    ['an operation that is none', ['noSuch'], /There is no operation noSuch/],
    ['an argument too many', ['listJobs', 'queued'], /queued is one argument too many/],
    ['a body that is no object', ['createJob', '--body', '[]'], /must be a JSON object/],
    [
      'a number that is none',
      ['rotateApiKey', '--id', 'x', '--overlap_hours', 'soon'],
      /--overlap_hours must be of type integer/,
    ],
    ['a path without its field', ['readJob'], /--id is missing/],
  ])('%s is refused, and nothing is sent', async (_, args, message) => {
    expect(await atelier(['api', ...args])).toMatchObject({ code: 2, err: expect.stringMatching(message) });
    expect([service!.asked, stranger!.asked]).toEqual([[], []]);
  });
});

test('--version is that of the package; help names a command as --help does', async () => {
  expect(await atelier(['--version'])).toMatchObject({ code: 0, out: `${packed.version}\n` });
  expect((await atelier(['help', 'create'])).out).toContain('Usage: atelier create');
});

test('a field that may be null is given null by that word, and a list as JSON, too', async () => {
  await atelier([
    'api',
    'updateWebhookEndpoint',
    '--id',
    'hook_1',
    '--description',
    'null',
    '--types',
    '["job.created"]',
  ]);
  expect(JSON.parse(service!.asked[0]!.body)).toEqual({ description: null, types: ['job.created'] });
});

test('the whole body as JSON, of which a field given as an option wins', async () => {
  await atelier(['api', 'renameAccount', '--body', '{"name":"One"}', '--name', 'Two']);
  expect(JSON.parse(service!.asked[0]!.body)).toEqual({ name: 'Two' });
});
