import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { type Endpoint, errorsOf } from '../../contract/endpoint.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import { endpoints } from '../../contract/openapi.ts';
import { webhookRequest } from '../../contract/developer/webhook-request.ts';

/** The rules of `contract/README.md` over every endpoint. Each test lists what breaks its rule. */

type Schema = TSchema & {
  $id?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  [word: string]: unknown;
};
type Field = { place: string; name: string; schema: Schema; request: boolean };

/** Every field of a schema, those inside others too. */
function fieldsIn(schema: Schema, place: string, request: boolean): Field[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    { place: `${place}.${name}`, name, schema: field, request },
    ...fieldsIn(field, `${place}.${name}`, request),
  ]);
  const inner = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...own, ...inner.flatMap((part) => fieldsIn(part, place, request))];
}

const schemasOf = (endpoint: Endpoint): [place: string, schema: Schema, request: boolean][] => {
  const { operationId, params, query, body, answers } = endpoint;
  const parts: [string, TSchema | undefined, boolean][] = [
    ['params', params, true],
    ['query', query, true],
    ['body', body, true],
    ...Object.entries(answers).flatMap(
      ([status, { schema, stream, lines }]): [string, TSchema | undefined, boolean][] => [
        [status, schema, false],
        [`${status} stream`, stream, false],
        [`${status} line`, lines, false],
      ],
    ),
  ];
  return parts.flatMap(([part, schema, request]) =>
    schema ? [[`${operationId} ${part}`, schema as Schema, request] as [string, Schema, boolean]] : [],
  );
};

const posted: Schema[] = [];
webhookRequest((schema) => posted.push(schema as Schema));
const schemas = [
  ...endpoints.flatMap(schemasOf),
  ...posted.map((schema): [string, Schema, boolean] => ['receiveEvent body', schema, false]),
];
/** What the payment provider posts has its names, not ours. */
const ours = schemas.filter(([place]) => place !== 'receiveWebhook body');
const fieldsOf = (list: typeof schemas) => list.flatMap(([place, schema, request]) => fieldsIn(schema, place, request));
const fields = fieldsOf(ours);

const placesOf = (list: Field[]): string[] => [...new Set(list.map(({ place }) => place))];
const branches = ({ anyOf, ...schema }: Schema): Schema[] =>
  anyOf ? anyOf.flatMap((part) => branches(part)) : [schema];
const isTime = (schema: Schema) => branches(schema).some(({ format }) => format === 'date-time');

test('there is something to hold against the rules', () => {
  expect(endpoints.length).toBeGreaterThan(100);
  expect(fields.length).toBeGreaterThan(1000);
});

describe('naming', () => {
  test('fields and query parameters are snake_case', () => {
    /** Headers of an upload, which are sent as they are named. */
    const headers = ['content-type', 'x-service-max-size'];
    const bad = fields.filter(({ name }) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) && !headers.includes(name));
    expect(placesOf(bad)).toEqual([]);
  });

  test('paths are kebab-case, operation ids are camelCase and tools are snake_case; none is there twice', () => {
    const bad = endpoints.filter(
      ({ path, operationId, tool }) =>
        !/^(\/([a-z0-9]+(-[a-z0-9]+)*(\.json)?|\{(id|number)\}|\{[a-z]+(_[a-z]+)*_id\}))+$/.test(path) ||
        !/^[a-z]+([A-Z][a-z]+)*$/.test(operationId) ||
        (tool && !/^[a-z]+(_[a-z]+)*$/.test(tool.name)),
    );
    expect(bad.map(({ operationId }) => operationId)).toEqual([]);
    const ids = endpoints.map(({ operationId }) => operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test('a flag is no `is_…` or `has_…`, and an id ends in `_id`', () => {
    expect(placesOf(fields.filter(({ name }) => /^(is|has)_|_uuid$|_ids?_/.test(name)))).toEqual([]);
  });
});

describe('times', () => {
  test('a moment ends in _at, _since or _until, a bound in _after or _before', () => {
    /** Specified, or of a range that is named around it. */
    const other = ['period_start', 'period_end', 'start', 'end', 'since', 'timestamp', 'wanted_by', 'earliest'];
    const bad = fields.filter(
      ({ name, schema }) => isTime(schema) && !/_(at|after|before|since|until)$/.test(name) && !other.includes(name),
    );
    expect(placesOf(bad)).toEqual([]);
    expect(placesOf(fields.filter(({ name, schema }) => name.endsWith('_at') && !isTime(schema)))).toEqual([]);
  });
});

describe('descriptions', () => {
  const isDescribed = (schema: Schema): boolean =>
    Boolean(schema.description) ||
    (schema.anyOf ?? []).some(isDescribed) ||
    (schema.items?.$id !== undefined && isDescribed(schema.items));

  test('every field has one', () => {
    expect(placesOf(fieldsOf(schemas).filter(({ schema }) => !isDescribed(schema)))).toEqual([]);
  });

  test('every shape with a name has one', () => {
    const named = new Set<string>();
    const visit = (schema: Schema): void => {
      if (schema.$id && !schema.description) named.add(schema.$id);
      for (const part of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) visit(part);
      for (const field of Object.values(schema.properties ?? {})) visit(field);
    };
    for (const [, schema] of schemas) visit(schema);
    expect([...named]).toEqual([]);
  });

  test('each is a sentence: it begins with a capital letter, a digit or code, and ends with a full stop', () => {
    const isSentence = (text: string) => /^[A-Z0-9`/[]/.test(text) && /[.:)]$/.test(text);
    const texts = [
      ...fieldsOf(schemas).map(({ place, schema }) => [place, schema.description] as const),
      ...endpoints.flatMap(({ operationId, description, answers, headers = {} }) => [
        [operationId, description] as const,
        ...Object.entries(answers).map(([status, answer]) => [`${operationId} ${status}`, answer.description] as const),
        ...Object.entries(headers).map(([name, header]) => [`${operationId} ${name}`, header.description] as const),
      ]),
    ];
    expect([...new Set(texts.filter(([, text]) => text && !isSentence(text)).map(([place]) => place))]).toEqual([]);
  });

  test('a summary begins with a capital letter and has no full stop', () => {
    const bad = endpoints.filter(({ summary }) => !/^[A-Z].{3,60}[^.]$/.test(summary));
    expect(bad.map(({ operationId }) => operationId)).toEqual([]);
  });
});

describe('requests', () => {
  const requested = fields
    .filter(({ request }) => request)
    .flatMap((field) => branches(field.schema).map((schema) => ({ ...field, schema })));
  const isPath = ({ place }: Field) => / params\./.test(place);

  test('a text has an upper bound, a format or a list of values; an id of a path names nothing if it is too long', () => {
    const bad = requested.filter(
      (field) =>
        field.schema.type === 'string' &&
        !isPath(field) &&
        !['maxLength', 'format', 'enum', 'const', 'pattern'].some((word) => field.schema[word] !== undefined) &&
        !field.schema.description?.startsWith('Opaque id') &&
        !/_ids?$/.test(field.name),
    );
    expect(placesOf(bad)).toEqual([]);
  });

  test('a number and a list have an upper bound', () => {
    const unbounded = requested.filter(
      ({ schema }) =>
        (schema.type === 'integer' && (schema['minimum'] === undefined || schema['maximum'] === undefined)) ||
        (schema.type === 'number' && schema['maximum'] === undefined),
    );
    expect(placesOf(unbounded)).toEqual([]);
    const lists = requested.filter(
      ({ place, schema }) => schema.type === 'array' && / body\./.test(place) && schema['maxItems'] === undefined,
    );
    expect(placesOf(lists)).toEqual([]);
  });

  test('a body and a query take no unknown field, and a GET takes no body', () => {
    const open = ours.filter(([, schema, request]) => request && schema.additionalProperties !== false);
    expect(open.map(([place]) => place)).toEqual([]);
    expect(endpoints.filter(({ method, body }) => method === 'GET' && body)).toEqual([]);
  });
});

describe('errors', () => {
  const usual = (status: string, code: ErrorCode) => errors[code].status === Number(status);

  test('each code has the status of its line; only invalid_request has several', () => {
    const bad = endpoints.flatMap((endpoint) =>
      Object.entries(errorsOf(endpoint)).flatMap(([status, codes]) =>
        codes
          .filter((code) => !usual(status, code) && !(code === 'invalid_request' && ['400', '431'].includes(status)))
          .map((code) => `${endpoint.operationId}: ${status} ${code}`),
      ),
    );
    expect(bad).toEqual([]);
  });

  test('each code is given by an operation, except those of addresses without one', () => {
    const used = new Set(endpoints.flatMap((endpoint) => Object.values(errorsOf(endpoint)).flat()));
    const unused = (Object.keys(errors) as ErrorCode[]).filter((code) => !used.has(code));
    expect(unused.filter((code) => !['method_not_allowed', 'not_found', 'signed_url_invalid'].includes(code))).toEqual(
      [],
    );
  });

  test('each code says what it means, why it exists and what to do, in sentences', () => {
    const bad = Object.entries(errors).filter(([code, { meaning, why, message, action }]) => {
      const sentences = [meaning, why, message, action].every((text) => /^[A-Z].*\.$/s.test(text));
      return !sentences || !/^[a-z]+(_[a-z]+)*$/.test(code);
    });
    expect(bad.map(([code]) => code)).toEqual([]);
  });
});

describe('change', () => {
  const year = 365 * 24 * 3600_000;
  test('a deprecated endpoint works for twelve months more, and names an operation that exists', () => {
    const ids = new Set<string>(endpoints.map(({ operationId }) => operationId));
    const bad = endpoints.filter(({ deprecated }) => {
      if (!deprecated) return false;
      const { since, sunset, replacement } = deprecated;
      return !(Date.parse(sunset) - Date.parse(since) >= year) || (replacement !== undefined && !ids.has(replacement));
    });
    expect(bad.map(({ operationId }) => operationId)).toEqual([]);
  });
});
