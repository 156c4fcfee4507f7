import { jsonIn } from '../http/read-json.ts';
import { badRequest } from '../http/refusal.ts';
import { type Arguments, isObject } from './protocol.ts';
import type { ToolEndpoint } from './tools.ts';

type Schema = {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};

/**
 * The arguments of a call as hosts of models send them. Some cannot leave a field out and send null or an
 * empty text, others send lists, objects, numbers and booleans as text. A text stays a text.
 */
export function readArguments({ method, tool, params, query, body }: ToolEndpoint, sent: unknown): Arguments {
  const args = readObject(isWrapped(sent) ? sent.arguments : sent);
  if (!args) throw badRequest('arguments', 'must be an object');
  const places = [params, query, body, { properties: { idempotency_key: { type: 'string' } } }];
  const needs = [...(tool.needs ?? []), ...(tool.repeat === 'by_key' ? ['idempotency_key'] : [])];
  const filters = method === 'GET' ? Object.keys(query?.properties ?? {}) : [];
  const optional = [...filters, 'idempotency_key'].filter((name) => name !== 'cursor' && !needs.includes(name));
  const filled = Object.entries(args).filter(([name, value]) => value !== '' || !optional.includes(name));
  return places.reduce<Arguments>((read, place) => readFields(place ?? {}, read, needs), Object.fromEntries(filled));
}

/** Arguments that the SDK would refuse, in a form that it lets through: the tool explains the mistake. */
export const wrapped = (args: unknown): Arguments => (isObject(args) ? args : { arguments: args });

const isWrapped = (sent: unknown): sent is { arguments: unknown } =>
  isObject(sent) && Object.hasOwn(sent, 'arguments') && Object.keys(sent).length === 1;

/** Null or an empty text, which some hosts send for none, is no argument. */
function readObject(sent: unknown): Arguments | null {
  if (sent === undefined || sent === null || sent === '') return {};
  const value = typeof sent === 'string' ? jsonIn(sent) : sent;
  return isObject(value) ? value : null;
}

const isNull = ({ type }: Schema) => type === 'null';

/** Hosts send null for whatever a model leaves out, so an empty text clears what the API clears by null. */
function readFields({ properties = {}, required = [] }: Schema, sent: Arguments, needs: string[] = []): Arguments {
  const read = Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
    const field = Object.hasOwn(properties, name) && properties[name];
    if (!field) return [[name, value]];
    if (required.includes(name) || needs.includes(name)) return [[name, readValue(field, value)]];
    if (value === '' && only(field).type === 'string' && field.anyOf?.some(isNull)) return [[name, null]];
    return isNothing(field, value) ? [] : [[name, readValue(field, value)]];
  });
  return Object.fromEntries(read);
}

function isNothing(field: Schema, value: unknown): boolean {
  const { type, enum: values, format } = only(field);
  return value === null || (value === '' && (type !== 'string' || values !== undefined || format !== undefined));
}

const only = (field: Schema): Schema => {
  const [form, ...others] = field.anyOf?.filter((form) => !isNull(form)) ?? [];
  return form && others.length === 0 ? form : field;
};

function readValue(field: Schema, sent: unknown): unknown {
  const schema = only(field);
  const value = typeof sent === 'string' ? readText(schema, sent) : sent;
  if (schema.items && Array.isArray(value)) return value.map((item) => readValue(schema.items as Schema, item));
  return schema.properties && isObject(value) ? readFields(schema, value) : value;
}

/** The value that a text stands for, or the text, which the route then refuses. */
function readText({ type }: Schema, text: string): unknown {
  if (type === 'array' || type === 'object') {
    const value = jsonIn(text);
    return (type === 'array' ? Array.isArray(value) : isObject(value)) ? value : text;
  }
  if (type === 'boolean') return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}
