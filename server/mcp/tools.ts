import type { Tool } from '@modelcontextprotocol/server';
import type { TObject, TSchema } from 'typebox';
import { type Endpoint, remembersKeys } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { referTo } from '../../contract/references.ts';

export type ToolEndpoint = Endpoint & { tool: NonNullable<Endpoint['tool']> };

const isTool = (endpoint: Endpoint): endpoint is ToolEndpoint => endpoint.tool !== undefined;

export const toolEndpoints = new Map(endpoints.filter(isTool).map((endpoint) => [endpoint.tool.name, endpoint]));

const idempotencyKey = {
  type: 'string',
  description: 'One for each thing you mean to do, and the same again when you retry it.',
};

function inputSchema(endpoint: ToolEndpoint): Tool['inputSchema'] {
  const places = [endpoint.params, endpoint.query, endpoint.body].filter((place) => place !== undefined);
  const fields: Record<string, TSchema> = Object.assign({}, ...places.map(({ properties }: TObject) => properties));
  const nameOf = (field: string) => (field === 'id' ? (endpoint.tool.id ?? field) : field);
  const required = places.flatMap((place) => (place as { required?: string[] }).required ?? []).map(nameOf);
  const property = (name: string, schema: TSchema): [string, object] => {
    const description = endpoint.tool.fields?.[name];
    return [nameOf(name), { ...(plain(schema) as object), ...(description ? { description } : {}) }];
  };
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(fields).map(([name, schema]) => property(name, schema))),
      ...(remembersKeys(endpoint) ? { idempotency_key: idempotencyKey } : {}),
    },
    required: endpoint.tool.repeat === 'by_key' ? [...required, 'idempotency_key'] : required,
    additionalProperties: false,
  };
}

/** Costs tokens without helping a model: schema names, examples, and patterns that descriptions explain. */
const unhelpful = ['$id', 'examples', 'pattern', 'propertyNames', 'maxProperties'];

/** Bounds for validation, which do not help to read a value. */
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

/** Descriptions that tell a reader of an answer nothing: of every id, of names and of plain times. */
const saidOfEach =
  /,"description":"Opaque id with the prefix `\w+`\."|(?<="(?:created_at|updated_at|uploaded_at|deleted_at|name|message|file_name|customer_title)":\{"type":(?:"string"|\["string","null"\])),"description":"[^"]*"/g;

function plain(schema: unknown, without = unhelpful): unknown {
  if (Array.isArray(schema)) return schema.map((part) => plain(part, without));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { supported, ...words } = schema as Record<string, unknown>;
  const remaining = Object.entries(words).filter(([word]) => !without.includes(word));
  return {
    ...Object.fromEntries(remaining.map(([word, value]) => [word, plain(value, without)])),
    ...(supported ? { enum: supported } : {}),
  };
}

/** Without `links`, and without optional fields: answers are open, and these cost tokens. */
function essential(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(essential);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, required, ...rest } = schema as { properties?: Record<string, unknown>; required?: string[] };
  const walked = Object.fromEntries(Object.entries(rest).map(([word, value]) => [word, essential(value)]));
  if (properties === undefined) return required === undefined ? walked : { ...walked, required };
  const names = (required ?? []).filter((name) => name !== 'links');
  const fields = Object.entries(properties).filter(([name]) => names.includes(name));
  return {
    ...walked,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, essential(field)])) as object,
    ...(names.length > 0 ? { required: names } : {}),
  };
}

/** Each named part once. Open, because a later release may add fields. */
function outputSchema({ answers }: ToolEndpoint): NonNullable<Tool['outputSchema']> {
  const schema = (answers[200] ?? answers[201])?.schema;
  const { $id: _id, ...root } = schema as TSchema & { $id?: string };
  const $defs: Record<string, unknown> = {};
  const answer = referTo($defs, { place: '#/$defs' }).refer(essential(root) as TSchema) as object;
  const named = Object.entries($defs as Record<string, object>).map(([name, part]) => [
    name,
    { ...part, description: undefined }, // the fields that refer to it say what it is
  ]);
  const parts = { ...answer, $defs: Object.fromEntries(named) as object };
  const text = JSON.stringify(plain(parts, [...unhelpful, ...bounds]));
  return JSON.parse(text.replaceAll(saidOfEach, '')) as NonNullable<Tool['outputSchema']>;
}

const define = (endpoint: ToolEndpoint): Tool => ({
  name: endpoint.tool.name,
  title: endpoint.tool.title ?? endpoint.summary,
  description: endpoint.tool.description ?? [`${endpoint.summary}.`, endpoint.description].filter(Boolean).join(' '),
  inputSchema: inputSchema(endpoint),
  annotations: {
    readOnlyHint: endpoint.tool.hint === 'read',
    destructiveHint: endpoint.tool.hint === 'final',
    idempotentHint: endpoint.tool.hint !== 'write' || endpoint.tool.repeat !== undefined,
    openWorldHint: false,
  },
});

const all = [...toolEndpoints.values()];

/** The lists are constants, so no user text can get into them. */
const lists = {
  short: all.map(define),
  withOutput: all.map((endpoint) => ({ ...define(endpoint), outputSchema: outputSchema(endpoint) })),
};

/** Output schemas cost five times the tokens, so they are opt-in. */
export function listTools({ readOnly, withOutput }: { readOnly: boolean; withOutput: boolean }): Tool[] {
  const tools = withOutput ? lists.withOutput : lists.short;
  return readOnly ? tools.filter(({ annotations }) => annotations?.readOnlyHint) : tools;
}
