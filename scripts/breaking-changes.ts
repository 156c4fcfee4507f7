import { compareSchemas, type Direction, type Document, resolve, type Schema } from './compare-schemas.ts';

type Content = Record<string, { schema?: Schema }>;
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema };
type Response = { $ref?: string; content?: Content; headers?: Record<string, unknown> };
type Operation = {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
};

/** Every change between two OpenAPI documents that can break a caller, as sentences. */
export function breakingChanges(before: Document, after: Document): string[] {
  const compare = (place: 'paths' | 'webhooks', directions: { sent: Direction; received: Direction }) =>
    Object.entries(before[place] ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`;
        const now = after[place]?.[path]?.[method];
        if (!now) return [`${name} is gone`];
        return compareOperations([before, after], operation as Operation, now as Operation, name, directions);
      }),
    );
  return [
    ...compare('paths', { sent: 'request', received: 'answer' }),
    // What the service sends is what its customers receive.
    ...compare('webhooks', { sent: 'answer', received: 'request' }),
  ];
}

type Documents = [Document, Document];
type Directions = { sent: Direction; received: Direction };

function compareOperations(
  documents: Documents,
  before: Operation,
  after: Operation,
  name: string,
  { sent, received }: Directions,
): string[] {
  return [
    ...(before.operationId === after.operationId ? [] : [`${name} has another operationId: ${after.operationId}`]),
    ...lostAccess(before, after).map((way) => `${name} no longer takes ${way}`),
    ...compareParameters(documents, before, after, name, sent),
    ...(after.requestBody?.required && !before.requestBody?.required ? [`${name} requires a body now`] : []),
    ...compareContent(documents, before.requestBody?.content, after.requestBody?.content, `${name} body`, sent),
    ...Object.entries(before.responses).flatMap(([status, response]) => {
      const now = after.responses[status];
      if (!now) return [`${name} no longer answers ${status}`];
      const [old, current] = [resolve(documents[0], response), resolve(documents[1], now)];
      const lost = Object.keys(old.headers ?? {}).filter((header) => !Object.hasOwn(current.headers ?? {}, header));
      return [
        ...lost.map((header) => `${name} ${status} no longer has the header ${header}`),
        ...compareContent(documents, old.content, current.content, `${name} ${status}`, received),
      ];
    }),
  ];
}

/** Credentials that no longer suffice, with the scopes that they suffice with. */
function lostAccess({ security: before = [] }: Operation, { security: after = [] }: Operation): string[] {
  if (after.length === 0) return [];
  const ways = before.length === 0 ? [{}] : before;
  const suffices = (way: Record<string, string[]>) =>
    after.some((now) =>
      Object.entries(now).every(
        ([scheme, scopes]) => scopes.every((scope) => way[scheme]?.includes(scope)) && way[scheme],
      ),
    );
  return ways
    .filter((way) => !suffices(way))
    .map((way) => Object.keys(way).join(' with ') || 'a call without credentials');
}

function compareParameters(
  documents: Documents,
  before: Operation,
  after: Operation,
  name: string,
  direction: Direction,
): string[] {
  const [old, now] = [before, after].map(
    ({ parameters = [] }, at) =>
      new Map(
        parameters
          .map((parameter) => resolve(documents[at as 0 | 1], parameter))
          .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
      ),
  ) as [Map<string, Parameter>, Map<string, Parameter>];
  const gone = [...old.keys()].filter((key) => !now.has(key));
  return [
    ...gone.map((key) => `${name} no longer takes ${key}`),
    ...[...now].flatMap(([key, { required, schema }]) => {
      const previous = old.get(key);
      return [
        ...(required && !previous?.required && direction === 'request' ? [`${name} requires ${key} now`] : []),
        ...(previous
          ? compareSchemas({ documents, direction, seen: new Set() }, previous.schema, schema, `${name} ${key}`)
          : []),
      ];
    }),
  ];
}

const compareContent = (
  documents: Documents,
  before: Content = {},
  after: Content = {},
  name: string,
  direction: Direction,
): string[] =>
  Object.entries(before).flatMap(([type, { schema }]) => {
    const now = after[type];
    if (!now) return [`${name} is no longer ${type}`];
    if (!schema || !now.schema) return [];
    return compareSchemas({ documents, direction, seen: new Set() }, schema, now.schema, name);
  });
