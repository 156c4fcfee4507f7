import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Endpoint, errorsOf } from '../../contract/endpoint.ts';
import { endpoints, openapi } from '../../contract/openapi.ts';

type Response = { $ref?: string; content?: Record<string, { schema: object }> };
type Operation = { operationId: string; responses: Record<string, Response> };

const document = openapi('http://localhost', { closed: true });
const { components } = document as {
  components: { responses: Record<string, Response>; schemas: Record<string, object> };
};

/** References, as the schemas have them below. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object;

// A shared schema has a name and is not inlined: it is compiled once, not for each that refers to it.
const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
addFormats.default(ajv);
for (const [name, schema] of Object.entries(components.schemas))
  ajv.addSchema(absolute(schema), `openapi#/components/schemas/${name}`);

/** For requests to no operation of the document: the body is still the error envelope. */
const unlisted: Response = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
};

const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
);

/** Resolves a reference to a shared response. */
function responseOf({ responses }: Operation, status: number): Response | undefined {
  const response = responses[status] ?? (status >= 400 ? responses.default : undefined);
  const name = response?.$ref?.split('/').at(-1);
  return name === undefined ? response : components.responses[name];
}

const byId = new Map<string, Endpoint>(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));
function codesOf(operationId: string, status: number): string[] {
  const endpoint = byId.get(operationId);
  return (endpoint && errorsOf(endpoint)[status]) ?? [];
}

/** Compiling a schema takes 10 ms, and tests check the same ones thousands of times. */
const compiled = new Map<object | string, ValidateFunction>();

function compile(schema: object): ValidateFunction {
  const earlier = compiled.get(schema);
  if (earlier) return earlier;
  // Many operations answer the same.
  const text = JSON.stringify(schema);
  const check = compiled.get(text) ?? ajv.compile(absolute(schema));
  compiled.set(schema, check).set(text, check);
  return check;
}

/** The schemas are closed: an extra field is a fault, as a missing one is. */
export function schemaFault(schema: object, body: unknown): string | null {
  const check = compile(schema);
  return check(body) ? null : ajv.errorsText(check.errors);
}

function linesFault(schema: object, text: string): string | null {
  const faults = text
    .split('\n')
    .filter(Boolean)
    .map((line) => schemaFault(schema, JSON.parse(line)));
  return faults.find((fault) => fault !== null) ?? null;
}

/** What in an answer differs from the OpenAPI document, or null. Every answer in tests is checked. */
export function answerFault(
  method: string,
  path: string,
  status: number,
  contentType: string,
  body: unknown,
): string | null {
  const [reached = ''] = path.split('?');
  // A path of its own is no id of another.
  const isOwn = operations.some((entry) => entry.path === reached);
  const listed = operations.find(
    (entry) => entry.method === method && (isOwn ? entry.path === reached : entry.pattern.test(reached)),
  );
  const schema = listed ? responseOf(listed.operation, status) : unlisted;
  if (!schema) return `${method} ${path} answered ${status}, which the document does not list`;
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  if (listed && status >= 400 && !codesOf(listed.operation.operationId, status).includes(code ?? ''))
    return `${method} ${path} answered ${status} ${code}, which its contract line does not list`;
  if (schema.content?.['text/plain'])
    return contentType.startsWith('text/plain') ? null : `${method} ${path} is no text`;
  if (schema.content?.['text/event-stream'])
    return contentType.startsWith('text/event-stream') ? null : `${method} ${path} is no stream`;
  const line = schema.content?.['application/x-ndjson'];
  if (line && contentType.startsWith('application/x-ndjson')) return linesFault(line.schema, (body ?? '') as string);
  const content = schema.content?.['application/json'];
  if (!content) return body === undefined ? null : `${method} ${path} ${status} must have no body`;
  if (!contentType.startsWith('application/json')) return `${method} ${path} ${status} has content type ${contentType}`;
  const fault = schemaFault(content.schema, body);
  return fault && `${method} ${path} ${status}: ${fault}\n${JSON.stringify(body, null, 2)}`;
}

/** What in a stream entry differs from the schema of events, or null. */
export const accountEventSchemaFault = (data: unknown): string | null =>
  schemaFault({ $ref: '#/components/schemas/AccountEvent' }, data);
