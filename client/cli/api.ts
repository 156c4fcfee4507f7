import { readFileSync } from 'node:fs';
import { AtelierError } from '../error.ts';
import type { Command, Input } from './command.ts';
import { exitCodes, UsageError } from './exit-codes.ts';
import { findConnection } from './profile.ts';
import { print, say } from './terminal.ts';

type Schema = { type?: string | string[]; $ref?: string };
type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema; description?: string };
type Body = { content: { 'application/json': { schema: Schema & { properties?: Record<string, Schema> } } } };
type Operation = { operationId: string; summary: string; parameters?: Parameter[]; requestBody?: Body };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };
type Call = Operation & { method: string; path: string };

/** The packed document, so that nothing here is a second list of what the API can do. */
function readDocument(): Document {
  for (const path of ['../../openapi.json', '../openapi.json']) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Document;
    } catch {
      continue;
    }
  }
  throw new Error('openapi.json is missing from this package.');
}

export function operations(): Call[] {
  return Object.entries(readDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

export const api: Command = {
  name: 'api',
  args: '<operationId>',
  summary: 'call any operation of the API; its fields are options, --body takes the whole body as JSON',
  options: { body: { value: 'JSON', description: 'the request body; a field given as an option wins' } },
  examples: ['atelier api listMembers', 'atelier api readJob --id job_01…', 'atelier api'],
  async run(input) {
    const [name] = input.args;
    const known = operations();
    if (name === undefined) {
      for (const { operationId, summary } of known) print(`${operationId}  ${summary}`);
      return exitCodes.done;
    }
    const call = known.find(({ operationId }) => operationId === name);
    if (!call) throw new UsageError(`There is no operation ${name}.`, 'Run: atelier api');
    return send(call, input);
  },
};

/** The schema behind a reference; only named ones are used. */
const resolve = (schema: Schema, { components }: Document): Schema & { properties?: Record<string, Schema> } =>
  schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});

/** `--field` options of one operation. */
export function fieldsOf(call: Call): string[] {
  const body = call.requestBody?.content['application/json'].schema;
  const fields = Object.keys((body && resolve(body, readDocument()).properties) ?? {});
  return [...(call.parameters ?? []).map(({ name }) => name), ...fields];
}

/** JSON where the field is not a text: `--file_ids '["file_01…"]'`, `--limit 5`. */
function valueOf(name: string, text: string, schema: Schema): unknown {
  if ([schema.type].flat().includes('string')) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${name} must be JSON.`);
  }
}

function bodyOf(call: Call, input: Input): Record<string, unknown> | undefined {
  const schema = call.requestBody?.content['application/json'].schema;
  if (!schema) return undefined;
  const document = readDocument();
  const body = valueOf('body', input.text('body') ?? '{}', {}) as Record<string, unknown>;
  for (const [name, field] of Object.entries(resolve(schema, document).properties ?? {})) {
    const text = input.text(name);
    if (text !== undefined) body[name] = valueOf(name, text, resolve(field, document));
  }
  return body;
}

async function send(call: Call, input: Input): Promise<number> {
  const { url, key } = await findConnection(input.connection);
  if (!url) throw new UsageError('The address of the service is not known.', 'Run: atelier login, or set ATELIER_URL');
  let path = call.path;
  const query = new URLSearchParams();
  const headers = new Headers(key ? { authorization: `Bearer ${key}` } : {});
  for (const parameter of call.parameters ?? []) {
    const value = input.text(parameter.name);
    if (value === undefined && parameter.in === 'path') throw new UsageError(`--${parameter.name} is missing.`);
    if (value === undefined) continue;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in === 'query') query.append(parameter.name, value);
    else headers.set(parameter.name, value);
  }
  const body = bodyOf(call, input);
  if (body) headers.set('content-type', 'application/json');
  const address = `${url}${path}${query.size > 0 ? `?${query}` : ''}`;
  const answer = await fetch(address, {
    method: call.method,
    headers,
    redirect: 'manual',
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch((error: unknown) => {
    throw new AtelierError(0, {}, error);
  });
  const location = answer.headers.get('location');
  if (location) print(location);
  const text = await answer.text();
  if (answer.status >= 400) throw new AtelierError(answer.status, errorIn(text));
  if (text !== '') print(text);
  if (text === '' && !location) say(`${answer.status}`);
  return exitCodes.done;
}

function errorIn(text: string) {
  try {
    return (JSON.parse(text) as { error?: object }).error ?? {};
  } catch {
    return {};
  }
}
