import { createRequire } from 'node:module';
import { pipeline } from 'node:stream/promises';
import { AtelierError, throwUnreachable } from '../error.ts';
import { chunksOf } from '../event-stream.ts';
import { type Command, exitCodes, type Input, type Io, type Option, UsageError } from './command.ts';
import { findConnection } from './profile.ts';
import { suggest } from './suggestion.ts';
import { bold, escaped, print, printMessage, printTable } from './terminal.ts';

type Schema = {
  type?: string | string[];
  $ref?: string;
  anyOf?: Schema[];
  items?: Schema;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
};
type Place = 'path' | 'query' | 'header' | 'body';
type Parameter = { name: string; in: Place; required?: boolean; schema: Schema; description?: string };
type Body = { content: { 'application/json': { schema: Schema } } };
type Operation = { operationId: string; summary: string; tags: string[]; security: object[]; requestBody?: Body };
type Shared = { $ref: string };
type Document = {
  paths: Record<string, Record<string, Operation & { parameters?: (Parameter | Shared)[] }>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};
type Call = Operation & { method: string; path: string; parameters: Parameter[] };
type Field = { name: string; in: Place; required: boolean; types: string[]; description: string };

/** Reads operations from the packed document, so there is no second list. */
const readDocument = (): Document => createRequire(import.meta.url)('atelier-client/openapi.json') as Document;

/** The statuses of a job. */
export const statuses = (): string[] => (readDocument().components.schemas['JobStatus']?.enum ?? []).map(String);

function operations(): Call[] {
  const { paths, components } = readDocument();
  const resolved = (parameter: Parameter | Shared): Parameter[] => {
    if (!('$ref' in parameter)) return [parameter];
    const shared = components.parameters[parameter.$ref.split('/').at(-1) ?? ''];
    return shared ? [shared] : [];
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], ...operation }]) => {
      return { ...operation, method: method.toUpperCase(), path, parameters: parameters.flatMap(resolved) };
    }),
  );
}

/** The command line of an operation, with the ids of this path: `readReview`, `deleteMacro --id mac_1`. */
export function operationAt(method: string, path: string): string | null {
  const parts = path.split('/');
  const fits = (place: string, at: number) => place === parts[at] || place.startsWith('{');
  const call = operations().find(
    ({ method: own, path: pattern }) =>
      own === method && pattern.split('/').length === parts.length && pattern.split('/').every(fits),
  );
  if (!call) return null;
  const ids = call.path.split('/').flatMap((place, at) =>
    place.startsWith('{') && !parts[at]?.startsWith('{') ? [` --${place.slice(1, -1)} ${parts[at]}`] : [],
  );
  return call.operationId + ids.join('');
}

/** By the tags of the document. */
function showOperations(io: Io, calls: Call[]): void {
  for (const tag of new Set(calls.map(({ tags: [tag = ''] }) => tag))) {
    print(io, bold(io, tag));
    const ofTag = calls.filter(({ tags }) => tags[0] === tag);
    printTable(io, ofTag.map(({ operationId, summary }) => [`  ${operationId}`, summary]));
  }
}

export const api: Command = {
  name: 'api',
  args: '[operationId|word]',
  summary: 'call any operation of the API by its id, with its fields as options; without an id list all, or those about a word',
  examples: ['atelier api', 'atelier api webhook', 'atelier api createJob --help', 'atelier api readJob --id job_01…'],
  commands: () => operations().map(commandOf),
  async run({ args: [name] }, io) {
    const operationList = operations();
    if (operationList.some(({ operationId }) => operationId === name))
      throw new UsageError(`${name} comes before its options.`, `Run: atelier api ${name} …`);
    const matching = operationList.filter(({ operationId, path, summary, tags }) =>
      [operationId, path, summary, ...tags].some((text) => text.toLowerCase().includes((name ?? '').toLowerCase())),
    );
    if (matching.length === 0) throw new UsageError(
        `There is no operation ${name}.`,
        suggest(
          name ?? '',
          operationList.map(({ operationId }) => operationId),
          'Run: atelier api',
        ),
      );
    showOperations(io, matching);
  },
};

function commandOf(call: Call): Command {
  const fields = fieldsOf(call);
  const required = fields.filter((field) => field.required).map((field) => ` --${field.name} ${valueName(field)}`);
  const body = { value: 'JSON', description: 'the request body; a field given as an option wins' };
  return {
    name: `api ${call.operationId}`,
    summary: call.summary,
    options: { ...(call.requestBody ? { body } : {}), ...Object.fromEntries(fields.map((field) => [field.name, optionOf(field)])) },
    examples: [`atelier api ${call.operationId}${required.join('')}`],
    run: (input, io) => send(io, call, fields, input),
  };
}

const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (readDocument().components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

const typesOf = (schema: Schema): string[] =>
  schema.anyOf ? schema.anyOf.flatMap((option) => typesOf(resolve(option))) : [schema.type ?? []].flat();

function valuesOf(schema: Schema): unknown[] {
  const { enum: values, items, anyOf = [] } = resolve(schema);
  return values ?? [...(items ? [items] : []), ...anyOf].flatMap(valuesOf);
}

function fieldOf(name: string, place: Place, required: boolean, schema: Schema, described = ''): Field {
  const { description = '', ...resolved } = resolve(schema);
  const values = valuesOf(schema);
  const words = [described || description, values.length > 0 ? `One of ${values.join(', ')}.` : ''].filter(Boolean);
  return { name, in: place, required, types: typesOf(resolved), description: words.join(' ') };
}

function fieldsOf({ parameters, requestBody }: Call): Field[] {
  const { properties = {}, required = [] } = requestBody ? resolve(requestBody.content['application/json'].schema) : {};
  return [
    ...parameters.map((parameter) => fieldOf(parameter.name, parameter.in, parameter.required ?? false, parameter.schema, parameter.description)),
    ...Object.entries(properties).map(([name, schema]) => fieldOf(name, 'body', required.includes(name), schema)),
  ];
}

const valueName = ({ types }: Field): string => (types.find((type) => type !== 'null') ?? 'JSON').toUpperCase();

const optionOf = (field: Field): Option => ({
  value: valueName(field),
  description: `${field.required ? '(required) ' : ''}${field.types.includes('array') ? '(repeat for more) ' : ''}${field.description}`,
  ...(field.types.includes('array') ? { multiple: true } : {}),
});

/** JSON unless the field is text or a list of texts: `--limit 5`, `null`. */
function valueOf({ name, types }: Pick<Field, 'name' | 'types'>, texts: string[]): unknown {
  const text = texts.at(-1) ?? '';
  if (types.includes('null') && text === 'null') return null;
  if (types.includes('string')) return text;
  if (types.includes('array') && !text.startsWith('[')) return texts;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${name} must be of type ${types.join(' or ')}.`);
  }
}

function readBody(text: string): Record<string, unknown> {
  const body = valueOf({ name: 'body', types: ['object'] }, [text]);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new UsageError('--body must be a JSON object.');
  return body as Record<string, unknown>;
}

async function send(io: Io, call: Call, fields: Field[], input: Input): Promise<number> {
  const { url, key, refusal } = await findConnection(input.connection);
  if (!url) throw new UsageError('The address of the service is not known.', 'Run: atelier login, or set ATELIER_URL');
  const isPublic = call.security.length === 0 || call.security.some((way) => Object.keys(way).length === 0);
  if (!key && !isPublic) throw refusal;
  let path = call.path;
  const query = new URLSearchParams();
  const headers = new Headers(key ? { authorization: `Bearer ${key}` } : {});
  const isField = fields.some(({ name }) => name === 'body');
  const body = readBody((isField ? undefined : input.text('body')) ?? '{}');
  for (const field of fields) {
    const { name } = field;
    const texts = input.texts(name);
    const text = texts.at(-1);
    if (text === undefined && field.in === 'path') throw new UsageError(`--${name} is missing.`);
    if (text === undefined) continue;
    if (field.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text));
    else if (field.in === 'query') for (const item of texts) query.append(name, item);
    else if (field.in === 'header') headers.set(name, text);
    else body[name] = valueOf(field, texts);
  }
  if (call.requestBody) headers.set('content-type', 'application/json');
  const address = `${url}${path}${query.size > 0 ? `?${query}` : ''}`;
  const request = new Request(address, {
    method: call.method,
    headers,
    redirect: 'manual',
    ...(call.requestBody ? { body: JSON.stringify(body) } : {}),
  });
  await show(io, await fetch(request).catch(throwUnreachable));
  return exitCodes.done;
}

async function show(io: Io, answer: Response): Promise<void> {
  const location = answer.headers.get('location');
  if (location) print(io, location);
  if (answer.body && answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return pipeline(escapedParts(io, answer.body), io.stdout, { end: false });
  const text = await answer.text().catch(throwUnreachable);
  if (answer.status >= 400) throw new AtelierError(answer.status, errorIn(text));
  if (text !== '') io.stdout.write(`${isJson(answer) || io.stdout.isTTY ? escaped(io, text) : text}\n`);
  if (text === '' && !location) printMessage(io, `${answer.status}`);
}

const isJson = ({ headers }: Response): boolean => headers.get('content-type')?.includes('json') ?? false;

/** The data of an event is also JSON. */
async function* escapedParts(io: Io, body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const part of chunksOf(body)) yield escaped(io, decoder.decode(part, { stream: true }));
}

function errorIn(text: string) {
  try {
    return (JSON.parse(text) as { error?: object }).error ?? {};
  } catch {
    return {};
  }
}
