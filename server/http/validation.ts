import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { badBody, badRequest, type Detail } from './refusal.ts';

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
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} entries`),
  maxItems: tooMany,
  uniqueItems: () => 'must not repeat an entry',
};

const at = (whole: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((part, name) => (part as Record<string, unknown>)[name], whole);

/** What a text must be stands in the first sentence of its description. */
function formOf(schema: TSchema, body: unknown, { schemaPath, instancePath }: Fault): string {
  if (!/\S/.test(String(at(body, instancePath)))) return 'must not be blank';
  const { description } = at(schema, schemaPath) as { description?: string };
  const [first] = description?.split(/\.(?: |$)/) ?? [];
  return first === undefined
    ? 'has a form or characters that are not allowed here'
    : `must be ${first.slice(0, 1).toLowerCase()}${first.slice(1)}`;
}

function explain(schema: TSchema, body: unknown, fault: Fault): Detail[] {
  const { keyword, instancePath: location, message, params } = fault;
  if (keyword === 'additionalProperties') return []; // each unknown field has a fault of its own
  if (keyword === 'required')
    return (params as { requiredProperties: string[] }).requiredProperties.map((name) => ({
      location: `${location}/${name}`,
      message: 'is required',
    }));
  if (keyword === 'pattern') return [{ location, message: formOf(schema, body, fault) }];
  return [{ location, message: messages[keyword]?.(params as Record<string, unknown>) ?? message }];
}

/** One value can break several rules; the first that it breaks is enough to fix it. */
const onePerPlace = (details: Detail[]): Detail[] =>
  details.filter(({ location }, at) => details.findIndex((other) => other.location === location) === at);

const isBroken = (text: string) => text.includes('\0') || !text.isWellFormed();

/** Text that Postgres cannot hold, or would change: NUL and lone surrogates. Found before the schema is asked, in keys too. */
function brokenText(value: unknown): Detail[] {
  if (typeof value === 'string' && isBroken(value))
    return [{ location: '', message: 'must not contain NUL or lone surrogates' }];
  if (typeof value !== 'object' || value === null) return [];
  for (const [name, inner] of Object.entries(value)) {
    if (isBroken(name)) return [{ location: '', message: 'has a field name with NUL or lone surrogates' }];
    // The location grows on the way back, so that only what is found has one. Bodies are at most 32 levels deep.
    const [found] = brokenText(inner);
    if (found) return [{ ...found, location: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${found.location}` }];
  }
  return [];
}

/** Lists beyond their bound. Found before the schema is asked, which takes the square of their length to tell what they repeat. */
const longLists = ({ properties }: TObject, body: unknown): Detail[] =>
  Object.entries(properties).flatMap(([name, { maxItems: limit = Infinity }]: [string, TSchema & Bound]) => {
    const list = (body as Record<string, unknown> | null)?.[name];
    const long = Array.isArray(list) && list.length > limit;
    return long ? [{ location: `/${name}`, message: tooMany({ limit }) }] : [];
  });

/** A reader for the body of one route. An empty body counts as `{}`, which `null` does not; nothing is coerced, dropped or filled in. */
export function bodyReader<S extends TObject>(schema: S, status: 400 | 422): (body: unknown) => Static<S> {
  const check = Compile(schema);
  return (given) => {
    const body = given === undefined ? {} : given;
    const long = longLists(schema, body);
    if (long.length > 0) throw badBody(long, status);
    const broken = brokenText(body);
    if (broken.length > 0) throw badBody(broken, status);
    if (check.Check(body)) return body;
    throw badBody(
      onePerPlace((check.Errors(body) as Fault[]).flatMap((fault) => explain(schema, body, fault))),
      status,
    );
  };
}

/** `?limit=` takes digits only: `0x10`, `1e1` and ` 5` are not numbers here. */
const asNumber = (text: string) => (/^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

function readParameter(name: string, schema: TSchema, given: string | string[]): unknown {
  const kind = (schema as { type?: string }).type;
  if (kind === 'array') return [given].flat().flatMap((text) => text.split(','));
  if (Array.isArray(given)) throw badRequest(name, 'must be given once');
  if (kind === 'boolean') return given === 'true' || (given === 'false' ? false : given);
  // A plus that was not encoded arrives as a space.
  if ((schema as { format?: string }).format === 'date-time') return given.replace(' ', '+');
  return kind === 'integer' ? asNumber(given) : given;
}

/** A reader for the query of one route: unknown and repeated parameters are refused, lists may repeat or use commas. */
export function queryReader<S extends TObject>(schema: S): (query: Record<string, string | string[]>) => Static<S> {
  const check = Compile(schema);
  return (given) => {
    const query = Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        const known = Object.hasOwn(schema.properties, name) && schema.properties[name];
        if (!known) throw badRequest(name.slice(0, 100), 'is not a known parameter');
        return [name, readParameter(name, known, value)];
      }),
    );
    if (check.Check(query) && brokenText(query).length === 0) return query;
    const [first] = (check.Errors(query) as Fault[]).flatMap((fault) => explain(schema, query, fault));
    const parameter = first?.location.split('/')[1] ?? 'query';
    throw badRequest(parameter, first?.message ?? 'must not contain NUL or lone surrogates');
  };
}
