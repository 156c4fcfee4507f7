import type { Tool } from '@modelcontextprotocol/server';
import type { TObject, TSchema } from 'typebox';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { referTo } from '../../contract/references.ts';

export type ToolEndpoint = Endpoint & { tool: NonNullable<Endpoint['tool']> };

const isTool = (endpoint: Endpoint): endpoint is ToolEndpoint => endpoint.tool !== undefined;

/** The endpoints that agents are offered, by the names of their tools. */
export const toolEndpoints = new Map(endpoints.filter(isTool).map((endpoint) => [endpoint.tool.name, endpoint]));

const idempotencyKey = {
  type: 'string',
  description: 'One for each thing you mean to do, and the same again when you retry it.',
};

/** The fields of path, query and body beside each other, and the Idempotency-Key. */
function inputSchema(endpoint: ToolEndpoint): Tool['inputSchema'] {
  const places = [endpoint.params, endpoint.query, endpoint.body].filter((place) => place !== undefined);
  const fields: Record<string, TSchema> = Object.assign({}, ...places.map(({ properties }: TObject) => properties));
  const required = places.flatMap((place) => (place as { required?: string[] }).required ?? []);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, plain(schema) as object])),
      ...(endpoint.idempotent ? { idempotency_key: idempotencyKey } : {}),
    },
    required: endpoint.tool.repeat === 'by_key' ? [...required, 'idempotency_key'] : required,
    additionalProperties: false,
  };
}

/** What costs tokens and helps no model: names of schemas, examples, and patterns, which descriptions put in words. */
const unhelpful = ['$id', 'examples', 'pattern'];

/** What judges a value, and is no help to read one. */
const bounds = [
  'additionalProperties',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
];

/** What is said of every id and every time, and an answer shows by itself. */
const saidOfEach = /,"description":"Opaque id with the prefix `\w+`\."| ISO 8601, UTC, milliseconds\.(?=")/g;

/** The schema without these words of JSON Schema. */
function plain(schema: unknown, without = unhelpful): unknown {
  if (Array.isArray(schema)) return schema.map((part) => plain(part, without));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { supported, ...words } = schema as Record<string, unknown>;
  const kept = Object.entries(words).filter(([word]) => !without.includes(word));
  return {
    ...Object.fromEntries(kept.map(([word, value]) => [word, plain(value, without)])),
    ...(supported ? { enum: supported } : {}),
  };
}

/** The answer of a call that succeeds, its named parts once each; open, since a later release may tell more. */
function outputSchema({ answers }: ToolEndpoint): NonNullable<Tool['outputSchema']> {
  const schema = (answers[200] ?? answers[201])?.schema;
  const { $id: _id, ...root } = schema as TSchema & { $id?: string };
  const $defs: Record<string, unknown> = {};
  const answer = referTo($defs, '#/$defs').refer(root) as object;
  const text = JSON.stringify(plain({ ...answer, $defs }, [...unhelpful, ...bounds]));
  return JSON.parse(text.replaceAll(saidOfEach, '')) as NonNullable<Tool['outputSchema']>;
}

const define = (endpoint: ToolEndpoint): Tool => ({
  name: endpoint.tool.name,
  title: endpoint.summary,
  description: [`${endpoint.summary}.`, endpoint.description].filter(Boolean).join(' '),
  inputSchema: inputSchema(endpoint),
  annotations: {
    readOnlyHint: endpoint.tool.hint === 'read',
    destructiveHint: endpoint.tool.hint === 'final',
    idempotentHint: endpoint.tool.hint !== 'write' || endpoint.tool.repeat !== undefined,
    openWorldHint: false,
  },
});

const all = [...toolEndpoints.values()];

/** The lists are constants: nothing that anybody wrote can get into them. */
const lists = {
  short: all.map(define),
  withOutput: all.map((endpoint) => ({ ...define(endpoint), outputSchema: outputSchema(endpoint) })),
};

/** Who may only read is shown reading tools only. Schemas of the answers cost five times the tokens, so they are asked for. */
export function listTools({ readOnly, withOutput }: { readOnly: boolean; withOutput: boolean }): Tool[] {
  const tools = withOutput ? lists.withOutput : lists.short;
  return readOnly ? tools.filter(({ annotations }) => annotations?.readOnlyHint) : tools;
}
