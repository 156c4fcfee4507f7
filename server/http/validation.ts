import type { Static, TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { cleanCode, cleanEmail, cleanMailToken, readTime } from '../../contract/typed.ts';
import { badBody, badRequest, type Detail, pointerPart } from './refusal.ts';

type Bound = { maxItems?: number };
type Fault = { keyword: string; schemaPath: string; instancePath: string; message: string; params: object };

const tooMany = ({ limit }: Record<string, unknown>) => `must have at most ${String(limit)} entries`;

const messages: Record<string, (params: Record<string, unknown>) => string> = {
  type: ({ type }) => `must be ${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`),
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  format: () => 'must be an ISO 8601 date and time with a zone, such as 2026-11-20T09:30:00Z or 2026-11-20T11:30+02:00',
  boolean: () => 'is not a known field',
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  maxProperties: ({ limit }) => `must have at most ${String(limit)} fields`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} entries`),
  maxItems: tooMany,
  uniqueItems: () => 'must not repeat an entry',
};

const at = (whole: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((part, name) => (part as Record<string, unknown>)[name], whole);

const firstSentence = (schema: unknown) => (schema as { description?: string }).description?.split(/\.(?: |$)/)[0];

/** The first sentence of a description states the form of the text. */
function formOf(schema: TSchema, body: unknown, { schemaPath, instancePath }: Fault): string {
  if (!/\S/.test(String(at(body, instancePath)))) return 'must not be blank';
  const first = firstSentence(at(schema, schemaPath));
  return first === undefined
    ? 'has a form or characters that are not allowed here'
    : `must be ${first.slice(0, 1).toLowerCase()}${first.slice(1)}`;
}

function explain(schema: TSchema, body: unknown, fault: Fault): Detail[] {
  const { keyword, schemaPath, instancePath: location, message, params } = fault;
  // Never repeats a refused name: the caller may have put a secret there.
  if (schemaPath.endsWith('/propertyNames')) return [];
  if (keyword === 'propertyNames')
    return [{ location, message: `has a key that is not ${firstSentence(at(schema, `${schemaPath}/propertyNames`))}` }];
  if (keyword === 'additionalProperties') return []; // each unknown field is reported on its own
  if (keyword === 'required')
    return (params as { requiredProperties: string[] }).requiredProperties.map((name) => ({
      location: `${location}/${name}`,
      message: 'is required',
    }));
  if (keyword === 'pattern') return [{ location, message: formOf(schema, body, fault) }];
  return [{ location, message: messages[keyword]?.(params as Record<string, unknown>) ?? message }];
}

/** A value can break several rules. Report the first. */
const onePerPlace = (details: Detail[]): Detail[] =>
  details.filter(({ location }, at) => details.findIndex((other) => other.location === location) === at);

const isBroken = (text: string) => text.includes('\0') || !text.isWellFormed();

/** Postgres cannot store NUL and lone surrogates. Checked before the schema, in keys too. */
function brokenText(value: unknown): Detail[] {
  if (typeof value === 'string' && isBroken(value))
    return [{ location: '', message: 'must not contain NUL or lone surrogates' }];
  if (typeof value !== 'object' || value === null) return [];
  for (const [name, inner] of Object.entries(value)) {
    if (isBroken(name)) return [{ location: '', message: 'has a field name with NUL or lone surrogates' }];
    // Builds the location while returning, so that only faults get one. Bodies are at most 32 levels deep.
    const [fault] = brokenText(inner);
    if (fault) return [{ ...fault, location: `/${pointerPart(name)}${fault.location}` }];
  }
  return [];
}

/** Lists over their limit. Checked before the schema, whose uniqueness check is quadratic. */
const longLists = ({ properties }: TObject, body: unknown): Detail[] =>
  Object.entries(properties).flatMap(([name, { maxItems: limit = Infinity }]: [string, TSchema & Bound]) => {
    const list = (body as Record<string, unknown> | null)?.[name];
    const long = Array.isArray(list) && list.length > limit;
    return long ? [{ location: `/${name}`, message: tooMany({ limit }) }] : [];
  });

const checks = new WeakMap<TSchema, Validator>();

/** Compiled at the first request that needs it, once for all operations that share the schema. */
function checkOf(schema: TSchema): Validator {
  const check = checks.get(schema) ?? Compile(schema);
  checks.set(schema, check);
  return check;
}

type Reading = (text: string) => string;

const asTime: Reading = (text) => readTime(text) ?? text;

/** How people may write what these schemas describe. */
const readingsById: Record<string, Reading> = {
  Email: cleanEmail,
  AuthenticatorCode: cleanCode,
  SecondFactorCode: cleanCode,
  MailToken: cleanMailToken,
};

/** How a field is read that may be written in several ways; null for all others. */
function readingOf(name: string, field: TSchema & { anyOf?: TSchema[]; $id?: string; format?: string }) {
  const { $id = '', format } = (field.anyOf?.[0] ?? field) as typeof field;
  if (name === 'name' || name === 'description') return (text: string) => text.trim() || text;
  return format === 'date-time' ? asTime : (readingsById[$id] ?? null);
}

/** An empty body counts as `{}`, `null` does not. Nothing is coerced, dropped or filled in. */
export function bodyReader<S extends TObject>(schema: S, status: 400 | 422): (body: unknown) => Static<S> {
  const readings = Object.entries(schema.properties).flatMap(([name, field]) => {
    const read = readingOf(name, field);
    return read ? [{ name, read }] : [];
  });
  return (sent) => {
    const body = (sent === undefined ? {} : sent) as Record<string, unknown> | null;
    const long = longLists(schema, body);
    if (long.length > 0) throw badBody(long, status);
    const broken = brokenText(body);
    if (broken.length > 0) throw badBody(broken, status);
    for (const { name, read } of readings) if (typeof body?.[name] === 'string') body[name] = read(body[name]);
    const check = checkOf(schema);
    if (check.Check(body)) return body as Static<S>;
    throw badBody(
      onePerPlace((check.Errors(body) as Fault[]).flatMap((fault) => explain(schema, body, fault))),
      status,
    );
  };
}

/** `?limit=` accepts only digits: `0x10`, `1e1` and ` 5` are refused. */
const asNumber = (text: string) => (/^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

function readParameter(name: string, schema: TSchema, value: string | string[]): unknown {
  const kind = (schema as { type?: string }).type;
  if (kind === 'array') return [value].flat().flatMap((text) => text.split(/, */));
  if (Array.isArray(value)) throw badRequest(name, 'must be given once');
  if (kind === 'boolean') return value === 'true' || (value === 'false' ? false : value);
  // An unencoded plus arrives as a space.
  if ((schema as { format?: string }).format === 'date-time')
    return readTime(value) ?? asTime(value.replace(/ (?=\d\d(?::?\d\d)?$)/, '+'));
  return kind === 'integer' ? asNumber(value) : value;
}

/** Reads the query of one route. Refuses repeated parameters, and unknown ones that it does not ignore. */
export function queryReader<S extends TObject>(
  schema: S,
  ignores: (name: string) => boolean,
): (query: Record<string, string | string[]>) => Static<S> {
  return (sent) => {
    const query = Object.fromEntries(
      Object.entries(sent).flatMap(([name, value]) => {
        const parameter = Object.hasOwn(schema.properties, name) && schema.properties[name];
        if (parameter) return [[name, readParameter(name, parameter, value)]];
        if (ignores(name)) return [];
        throw badRequest(name.slice(0, 100), 'is not a known parameter');
      }),
    );
    const check = checkOf(schema);
    if (check.Check(query) && brokenText(query).length === 0) return query as Static<S>;
    const [first] = (check.Errors(query) as Fault[]).flatMap((fault) => explain(schema, query, fault));
    const parameter = first?.location.split('/')[1] ?? 'query';
    throw badRequest(parameter, first?.message ?? 'must not contain NUL or lone surrogates');
  };
}
