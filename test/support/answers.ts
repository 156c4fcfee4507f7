import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Endpoint, errorsOf } from '../../contract/endpoint.ts';
import { endpoints, openapi } from '../../contract/openapi.ts';

type Response = { $ref?: string; content?: Record<string, { schema: object }> };
type Operation = { operationId: string; responses: Record<string, Response> };

const document = openapi('http://localhost', { closed: true });
const { components } = document as { components: { responses: Record<string, Response> } };
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', ...document });

/** What is answered where the document has no such operation: the envelope still holds. */
const unlisted: Response = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
};

const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      operation,
    })),
);

/** The response of a status, also where the operation refers to a shared one. */
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

/** Compiling takes 10 ms, and tests see the same answers thousands of times. */
const compiled = new WeakMap<object, ValidateFunction>();

function compile(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object;
  const check = ajv.compile(absolute);
  compiled.set(schema, check);
  return check;
}

/** The schemas are closed, so an answer with a field too many fails here as one with a field too few does. */
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

/** Why an answer is not one that the OpenAPI document promises; null when it is. Every answer seen in tests passes here. */
export function answerFault(
  method: string,
  path: string,
  status: number,
  contentType: string,
  body: unknown,
): string | null {
  const found = operations.find((one) => one.method === method && one.pattern.test(path.split('?')[0] ?? ''));
  const schema = found ? responseOf(found.operation, status) : unlisted;
  if (!schema) return `${method} ${path} answered ${status}, which the document does not list`;
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  if (found && status >= 400 && !codesOf(found.operation.operationId, status).includes(code ?? ''))
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

/** Why the data of an entry of a stream is no event. */
export const accountEventSchemaFault = (data: unknown): string | null =>
  schemaFault({ $ref: '#/components/schemas/AccountEvent' }, data);
