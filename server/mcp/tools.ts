import type { Tool } from '@modelcontextprotocol/server';
import type { TObject, TSchema } from 'typebox';
import { readCatalog } from '../../contract/ordering/catalog.ts';
import { type Endpoint, remembersKeys } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { preflightJob } from '../../contract/jobs/preflight.ts';
import { referTo } from '../../contract/document/references.ts';
import { ThinCatalog } from './thin-catalog.ts';
import { uiUri } from './ui.ts';

export type ToolEndpoint = Endpoint & { tool: NonNullable<Endpoint['tool']> };

const isTool = (endpoint: Endpoint): endpoint is ToolEndpoint => endpoint.tool !== undefined;

export const toolEndpoints = new Map(endpoints.filter(isTool).map((endpoint) => [endpoint.tool.name, endpoint]));

/** Their answer may be that a plan or something that the studio needs is missing, which a person can add. */
export const askingTools: ReadonlySet<string> = new Set(
  [...toolEndpoints.values()].flatMap(({ operationId, errors, tool }) =>
    operationId === preflightJob.operationId || errors[403]?.includes('entitlement_required') ? [tool.name] : [],
  ),
);

/** By its state an action happens only once, with any key. */
const keyOf = ({ repeat }: ToolEndpoint['tool']) => ({
  type: 'string',
  ...(repeat === 'by_state' ? {} : { description: 'New for each action, the same in a retry.' }),
});

function inputSchema(endpoint: ToolEndpoint): Tool['inputSchema'] {
  const places = [endpoint.params, endpoint.query, endpoint.body].filter((place) => place !== undefined);
  const fields: Record<string, TSchema> = Object.assign({}, ...places.map(({ properties }: TObject) => properties));
  const nameOf = (field: string) => (field === 'id' ? (endpoint.tool.id ?? field) : field);
  const required = [
    ...places.flatMap((place) => (place as { required?: string[] }).required ?? []).map(nameOf),
    ...(endpoint.tool.needs ?? []),
    ...(endpoint.tool.repeat === 'by_key' ? ['idempotency_key'] : []),
  ];
  const { hides = [], values = {}, defaults = {} } = endpoint.tool;
  const property = (name: string, schema: TSchema): [string, object] => {
    const { description, ...words } = brief(plain(withoutNull(schema)) as Described);
    const rest = {
      ...words,
      ...(values[name] ? { enum: values[name] } : {}),
      ...(defaults[name] ? { default: defaults[name] } : {}),
    };
    const text =
      name === 'limit' ? null : endpoint.tool.fields?.[name] === undefined ? description : endpoint.tool.fields[name];
    return [nameOf(name), { ...rest, ...(text ? { description: text } : {}) }];
  };
  return {
    type: 'object',
    properties: {
      ...withoutIdTexts(
        Object.fromEntries(
          Object.entries(fields)
            .filter(([name]) => !hides.includes(name))
            .map(([name, schema]) => property(name, schema)),
        ),
      ),
      ...(remembersKeys(endpoint) ? { idempotency_key: keyOf(endpoint.tool) } : {}),
    },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** Null is the same as leaving the argument out, and some hosts cannot offer a choice of types. */
function withoutNull(schema: TSchema): TSchema {
  const { anyOf, ...rest } = schema as TSchema & { anyOf?: { type?: string }[] };
  const [only, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return only && others.length === 0 ? { ...only, ...rest } : schema;
}

/** Costs tokens without helping a model: schema names, examples, and forms that descriptions explain. */
const unhelpful = [
  '$id',
  'examples',
  'minLength',
  'maxLength',
  'pattern',
  'propertyNames',
  'maxProperties',
  'uniqueItems',
];

/** What does not help to read a value, either: more bounds, which are for validation. */
const unhelpfulInAnswers = [
  ...unhelpful,
  'additionalProperties',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
];

type Described = { description?: string; items?: Described };

/** A list says what its entries are. */
function brief({ items, ...schema }: Described): Described {
  const { description: _, ...entry } = items ?? {};
  return { ...schema, ...(items ? { items: schema.description === undefined ? items : entry } : {}) };
}

/** The name of a field says of which kind its id is. */
const idText = /,?"description":"Opaque `\w+_…` id\."/g;
const withoutIdTexts = <T extends object>(fields: T): T =>
  JSON.parse(JSON.stringify(fields).replaceAll(idText, '')) as T;

/** Texts and times whose names say what they are: their descriptions tell a reader of an answer nothing. */
const evidentFields = [
  'created_at',
  'updated_at',
  'uploaded_at',
  'deleted_at',
  'status_changed_at',
  'name',
  'message',
  'file_name',
  'content_type',
  'customer_title',
  'customer_instructions',
  'service_family',
  'service_type',
  'request_id',
  'requirement',
  'answer',
];
const evidentText = new RegExp(
  `(?<="(?:${evidentFields.join('|')})":\\{"type":(?:"string"|\\["string","null"\\])),"description":"[^"]*"`,
  'g',
);

/** A bound that no call comes near. */
const isFar = (word: string, value: unknown) => word === 'maximum' && Number(value) >= 1_000_000;

function plain(schema: unknown, without = unhelpful): unknown {
  if (Array.isArray(schema)) return schema.map((part) => plain(part, without));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { supported, const: constant, ...words } = schema as Record<string, unknown>;
  const remaining = Object.entries(words).filter(([word, value]) => !without.includes(word) && !isFar(word, value));
  // Some hosts refuse the whole list for a `const`, and take only texts in an `enum`.
  const values = typeof constant === 'string' ? [constant] : supported;
  return {
    ...Object.fromEntries(remaining.map(([word, value]) => [word, plain(value, without)])),
    ...(values ? { enum: values } : {}),
  };
}

/**
 * Without `links`, fields that the tool omits, and optional fields: answers are open, and these cost tokens.
 * All fields that remain are required, so only the answer itself lists them.
 */
function essential(schema: unknown, omitted: string[], inside = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => essential(part, omitted, true));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, required, ...rest } = schema as { properties?: Record<string, unknown>; required?: string[] };
  const walked = Object.fromEntries(
    Object.entries(rest).map(([word, value]) => [word, essential(value, omitted, true)]),
  );
  if (properties === undefined) return required === undefined ? walked : { ...walked, required };
  const names = (required ?? []).filter((name) => name !== 'links' && !omitted.includes(name));
  const fields = Object.entries(properties).filter(([name]) => names.includes(name));
  return {
    ...walked,
    properties: Object.fromEntries(fields.map(([name, field]) => [name, essential(field, omitted, true)])) as object,
    ...(names.length > 0 && !inside ? { required: names } : {}),
  };
}

/** A list of values that a later release may extend. */
const grows = ({ description = '' }: { description?: string }): boolean => description.includes('may come');

/** Each named part once. Open, because a later release may add fields. */
function outputSchema({ operationId, answers, tool }: ToolEndpoint): NonNullable<Tool['outputSchema']> {
  const schema = (answers[200] ?? answers[201])?.schema;
  const { $id: _id, ...whole } = schema as TSchema & { $id?: string };
  const root = operationId === readCatalog.operationId ? ThinCatalog : essential(whole, tool.omits ?? []);
  const $defs: Record<string, unknown> = {};
  const answer = referTo($defs, { place: '#/$defs' }).refer(root as TSchema) as object;
  const named = Object.entries($defs as Record<string, { description?: string }>).map(([name, part]) => [
    name,
    { ...part, description: undefined, ...(grows(part) ? { enum: undefined } : {}) }, // its fields say what it is
  ]);
  const parts = { ...answer, $defs: Object.fromEntries(named) as object };
  const text = JSON.stringify(plain(parts, unhelpfulInAnswers));
  return JSON.parse(text.replaceAll(idText, '').replaceAll(evidentText, '')) as NonNullable<Tool['outputSchema']>;
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
  ...(endpoint.tool.ui ? { _meta: { ui: { resourceUri: uiUri(endpoint.tool.ui) } } } : {}),
});

const all = [...toolEndpoints.values()];

/** The lists are constants, so no user text can get into them. Each is made when a host first asks for it. */
const lists: { short?: Tool[]; withOutput?: Tool[] } = {};

const makeShort = () => (lists.short ??= all.map(define));
const makeWithOutput = () =>
  (lists.withOutput ??= all.map((endpoint) => ({ ...define(endpoint), outputSchema: outputSchema(endpoint) })));

/** Output schemas cost five times the tokens, so they are opt-in. */
export function listTools({ readOnly, withOutput, forReviewer = false }: Shown): Tool[] {
  const tools = withOutput ? makeWithOutput() : makeShort();
  const reading = readOnly ? tools.filter(({ annotations }) => annotations?.readOnlyHint) : tools;
  return forReviewer ? reading.filter(({ name }) => isForReviewers(toolEndpoints.get(name)!)) : reading;
}

type Shown = { readOnly: boolean; withOutput: boolean; forReviewer?: boolean };

const isForReviewers = ({ auth, reviewers }: Endpoint) => auth === 'public' || reviewers === true;
