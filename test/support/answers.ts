import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapi } from '../../contract/openapi.ts';

type Response = { content?: Record<string, { schema: object }> };
type Operation = { operationId: string; responses: Record<string, Response> };

const document = openapi('http://localhost');
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
  const schema = found ? found.operation.responses[status] : unlisted;
  if (!schema) return `${method} ${path} answered ${status}, which the document does not list`;
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
