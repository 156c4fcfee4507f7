import type { TSchema } from 'typebox';

type Text = { type?: string | string[]; pattern?: string; enum?: unknown; const?: unknown; format?: string };

/** Lookarounds, property classes, empty classes, and escapes that other languages read differently. */
const dialect = /\(\?[^:]|\\[pPukdw0-9]|\[\^?\]/;

/** A pattern that validators in any language read. The description states what a longer rule asks for. */
export const publishedPattern = ({ pattern }: Text): string | undefined =>
  pattern === undefined || dialect.test(pattern) ? undefined : pattern;

function withoutNul(schema: Text): object {
  const isFree = [schema.enum, schema.const, schema.format].every((word) => word === undefined);
  if (![schema.type].flat().includes('string') || !isFree) return {};
  if (schema.pattern === undefined) return { pattern: '^[^\\x00]*$' };
  return schema.pattern === '\\S' ? { pattern: '^\\s*[^\\s\\x00][^\\x00]*$' } : {};
}

type Branch = { type?: string; $id?: string; enum?: unknown };

/** `string` or null in the short form of 3.1; a named or an enumerated type keeps `anyOf`. */
function shortNullable({ anyOf, ...rest }: { anyOf?: Branch[] }): object | undefined {
  const [branch, other] = anyOf ?? [];
  if (anyOf?.length !== 2 || !branch?.type || branch.$id || branch.enum || other?.type !== 'null') return undefined;
  return { ...branch, ...rest, type: [branch.type, 'null'] };
}

/** Whether the format of a field says as much as its example. */
const saysItself = ({ format, description }: { format?: string; description?: string }) =>
  format === 'date-time' || description?.startsWith('Opaque id') === true;

type Part = { $id?: string; supported?: readonly string[] };
/** `brief`: without examples, and without the rule of every text of a request that it has no NUL. */
type Terms = { place?: string; closed?: boolean; brief?: boolean };

/**
 * Schemas with a name are written once; elsewhere they are references. `supported` lists the values that are
 * accepted. The document shows it as `enum`; other values have an error code of their own, so the reader of
 * bodies does not check it.
 *
 * Requests are closed. Answers are open unless `closed`, because a later release may add fields.
 */
export function referTo(
  components: Record<string, unknown>,
  { place = '#/components/schemas', closed = false, brief = false }: Terms = {},
) {
  const inputs = new Set<string>();
  const leavesOut = (word: string, value: unknown, input: boolean, schema: object): boolean => {
    if (word === 'examples') return brief || input || saysItself(schema); // a request has one whole example
    if (word === 'pattern' && typeof value === 'string') return publishedPattern({ pattern: value }) === undefined;
    return word === 'additionalProperties' && value === false && !input && !closed;
  };
  const refer = (name: string, schema: unknown, input: boolean) => {
    if (!components[name] || (input && !inputs.has(name))) {
      if (input) inputs.add(name);
      components[name] ??= {};
      components[name] = walk(schema, input, true);
    }
    return { $ref: `${place}/${name}` };
  };
  const walk = (schema: unknown, input: boolean, top = false): unknown => {
    if (Array.isArray(schema)) return schema.map((item) => walk(item, input));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id, supported, ...rest } = schema as Part;
    if ($id && !top) return refer($id, schema, input);
    const nullable = shortNullable(rest);
    if (nullable) return walk(nullable, input);
    const walked = Object.entries(rest)
      .filter(([word, value]) => !leavesOut(word, value, input, rest))
      .map(([word, value]) => [word, word === 'examples' ? value : walk(value, input)]);
    const bounds = supported ? { enum: supported } : input && !brief ? withoutNul(rest) : {};
    return { ...Object.fromEntries(walked), ...bounds } as unknown;
  };
  return { refer: (schema: TSchema) => walk(schema, false), referInput: (schema: TSchema) => walk(schema, true) };
}
