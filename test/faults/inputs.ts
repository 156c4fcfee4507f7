import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { root } from './process.ts';

/** Requests that are made from the OpenAPI document: valid ones, and such that are nearly so. */
export type Input = {
  operationId: string;
  method: string;
  path: string;
  credential: number;
  headers: Record<string, string>;
  /** Undefined: none. */
  body: string | undefined;
  /** The schemas do not take it: no success may follow. */
  invalid: boolean;
};

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  format?: string;
  examples?: unknown[];
} & Partial<Record<'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'minItems' | 'maxItems', number>>;
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, unknown>;
};

const document = JSON.parse(readFileSync(join(root, 'client/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', ...document });

const resolve = <Thing extends { $ref?: string }>(thing: Thing): Thing => {
  if (thing.$ref === undefined) return thing;
  const [kind = '', name = ''] = thing.$ref.split('/').slice(-2);
  return resolve(document.components[kind]![name] as Thing);
};

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object;
const checks = new Map<object, (value: unknown) => boolean>();
function takes(schema: Schema, value: unknown): boolean {
  let check = checks.get(schema);
  if (!check) {
    check = ajv.compile(absolute(schema)) as (value: unknown) => boolean;
    checks.set(schema, check);
  }
  return check(value);
}

const text = ({ minLength = 0, maxLength = 60, format }: Schema): fc.Arbitrary<unknown> =>
  format === 'date-time'
    ? fc
        .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString())
    : fc.oneof(
        { weight: 3, arbitrary: fc.lorem({ maxCount: 3 }).map((words) => words.slice(0, maxLength)) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 80) }) },
      );

/** A request with this field may take up to 25 s on purpose. */
const waiting = 'wait';

/** What the schema takes, as far as it says. */
function valid(given: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((other) => valid(other, depth)));
  const type = Array.isArray(schema.type) ? (schema.type.find((name) => name !== 'null') ?? 'null') : schema.type;
  const { minimum = 0, maximum = 1_000, minItems = 0, maxItems = 3, properties = {}, required = [] } = schema;
  switch (type) {
    case 'integer':
    case 'number':
      return fc.integer({ min: minimum, max: maximum });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return depth > 3
        ? fc.constant([])
        : fc.array(valid(schema.items ?? {}, depth + 1), { minLength: minItems, maxLength: Math.min(maxItems, 4) });
    case 'object': {
      const entries = Object.entries(properties)
        .filter(([name]) => name !== waiting)
        .map(([name, property]) => [name, valid(property, depth + 1)] as const);
      return fc.record(Object.fromEntries(entries), { requiredKeys: required.filter((name) => name in properties) });
    }
    default:
      return schema.examples?.length ? fc.oneof(fc.constantFrom(...schema.examples), text(schema)) : text(schema);
  }
}

/** Values that have broken something somewhere. */
const strange = fc.constantFrom<unknown>(
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 31,
  2 ** 53,
  1e20,
  1e21,
  [],
  {},
  [[]],
  { length: -1 },
  { toString: 1 },
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  '\u200b',
  'a\nb',
  "' or 1=1 --",
  '<script>',
  '../../etc/passwd',
  '𝒳'.repeat(300),
  '2016-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '0000-01-01T00:00:00Z',
  'x'.repeat(30_000),
);

type Change = { how: 'drop' | 'add' | 'replace'; at: number; name: string; value: unknown };
const change: fc.Arbitrary<Change> = fc.record({
  how: fc.constantFrom('drop', 'add', 'replace', 'replace'),
  at: fc.nat(),
  name: fc.constantFrom('account_id', 'status', 'id', 'role', 'constructor', 'toString', 'x/y', ''),
  value: strange,
});

/** Takes a field away, adds one, or puts something strange in its place. */
function edit(body: unknown, { how, at, name, value }: Change): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return value;
  const names = Object.keys(body);
  const field = names[at % Math.max(1, names.length)] ?? name;
  if (how === 'add') return { ...body, [name]: value };
  if (how === 'replace') return { ...body, [field]: value };
  return Object.fromEntries(Object.entries(body).filter(([other]) => other !== field));
}

const noJson = [
  '{',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
];
const raw = fc.constantFrom(
  ...noJson,
  '[1,]',
  'null',
  '1e400',
  '\ufeff{}',
  '['.repeat(20_000),
  `{"a":${'['.repeat(5_000)}`,
);

/** As the service reads a query: digits are numbers, lists have commas. */
const readAs = (given: Schema, value: string): unknown => {
  const { type } = resolve(given);
  if (type === 'array') return value.split(',');
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return type === 'integer' && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
};
const asQuery = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(asQuery).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const requestHeaders = fc.record(
  {
    'idempotency-key': fc.oneof(fc.uuid(), fc.constantFrom('', 'x'.repeat(256), 'ä', '"quoted"')),
    'x-request-id': fc.constantFrom('mine', 'a b', 'x'.repeat(200), '%0d%0a'),
    'accept-language': fc.constantFrom('de', '*', 'x'.repeat(500)),
    prefer: fc.constantFrom('return=representation', 'x'),
    'content-type': fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=x'),
  },
  { requiredKeys: [] },
);
/** Most requests have none of these. */
const headers = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: requestHeaders });

/** They end the credentials that the others need, or answer with a stream. */
const left = ['signOut', 'deletePerson', 'closeAccount', 'revokeSession', 'endSession', 'streamEvents', 'streamQueue'];

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => !left.includes(operationId))
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
export const operationCount = operations.length;

/** `ids`: things that exist, by their prefix. */
export function inputs(ids: Record<string, string>): fc.Arbitrary<Input> {
  const someIds = fc.constantFrom(
    ...Object.values(ids),
    'job_01jd3vsh8xe7rtx1zqbdnzc4v0',
    'x',
    '%00',
    '..%2f..',
    "'--",
    '%zz',
  );
  const inputOf = ({ method, path, operation }: (typeof operations)[number]): fc.Arbitrary<Input> => {
    const parameters = (operation.parameters ?? []).map(resolve);
    const content = operation.requestBody?.content['application/json'];
    const ownIds = parameters.flatMap(({ schema }) =>
      (schema.examples ?? []).map((id) => ids[String(id).split('_')[0]!]),
    );
    const id = fc.oneof(fc.constantFrom(...ownIds.filter((own) => own !== undefined), 'x'), someIds);
    const fields = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== waiting);
    const query = fc.record(
      Object.fromEntries(
        fields.map(({ name, schema }) => [
          name,
          fc.oneof({ weight: 3, arbitrary: valid(schema) }, { weight: 1, arbitrary: strange }).map(asQuery),
        ]),
      ),
      { requiredKeys: [] },
    );
    const body = content
      ? fc.oneof(
          {
            weight: 3,
            arbitrary: content.example === undefined ? valid(content.schema) : fc.constant(content.example),
          },
          { weight: 3, arbitrary: valid(content.schema) },
        )
      : fc.constant(undefined);
    return fc
      .record({
        ids: fc.array(id, { minLength: 3, maxLength: 3 }),
        query,
        body,
        changes: fc.oneof(fc.constant<Change[]>([]), fc.array(change, { minLength: 1, maxLength: 2 })),
        raw: fc.option(raw, { freq: 12 }),
        headers,
        credential: fc.nat(),
      })
      .map((drawn) => {
        let n = 0;
        const changed = drawn.changes.reduce(edit, drawn.body);
        const wellFormed = Object.entries(drawn.query as Record<string, string>).filter(([, value]) =>
          value.isWellFormed(),
        );
        const wrongQuery = wellFormed.some(([name, value]) => {
          const { schema } = fields.find((field) => field.name === name)!;
          return !takes(schema, readAs(schema, value));
        });
        const isRaw = content !== undefined && drawn.raw !== null;
        const search = wellFormed.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
        const sent = content ? (drawn.raw ?? JSON.stringify(changed)) : undefined;
        return {
          operationId: operation.operationId,
          method,
          path: path.replaceAll(/\{\w+\}/g, () => drawn.ids[n++ % 3]!) + (search === '' ? '' : `?${search}`),
          credential: drawn.credential,
          headers: {
            ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
            ...(Object.fromEntries(
              Object.entries(drawn.headers).filter(([, value]) => /^[\x20-\x7e]*$/.test(value)),
            ) as Record<string, string>),
          },
          body: sent,
          invalid: wrongQuery || (content !== undefined && !isRaw && !takes(content.schema, changed)),
        };
      });
  };
  return fc.oneof(...operations.map(inputOf));
}

const get = (target: string, ...lines: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const post = (body: string, ...lines: string[]) =>
  ['POST /api/v1/catalog/intent-check HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...lines, '', body].join(
    '\r\n',
  );

/** What is hardly HTTP: each is to be refused. */
export const protocolGarbage: readonly string[] = [
  'hello there\r\n\r\n',
  get('/api/v1/catalog').replaceAll('\r', ''),
  get('/api/v1/catalog', 'X: a\nY: b'),
  get('/api/v1/catalog', 'X: a\rY: b'),
  get('/api/v1/catalog', 'X: a', ' b'),
  get('/api/v1/catalog', 'X : a'),
  get('/api/v1/catalog', 'X: a\0b'),
  get('/api/v1/catalog', `X: ${'x'.repeat(20_000)}`),
  get('/api/v1/catalog', 'Host: b'),
  'GET /api/v1/catalog HTTP/1.1\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  get('http://other.example/api/v1/me'),
  get('//other.example/api/v1/me'),
  get('/%zz'),
  get('*'),
  get('/api/v1/catalog').replace('GET', 'TRACE'),
  get('other.example:443').replace('GET', 'CONNECT'),
  post('0\r\n\r\n', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  post('{}', 'Content-Length: 2', 'Content-Length: 3'),
  post('0\r\n\r\n', 'Transfer-Encoding: chunked, identity'),
  post('0\r\n\r\n', 'Transfer-Encoding: xchunked'),
  post('{}', 'Content-Length: two'),
  post('{}', 'Content-Length: -1'),
  post('zz\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'),
];
