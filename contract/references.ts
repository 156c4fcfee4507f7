import type { TSchema } from 'typebox';

type Text = { type?: string; pattern?: string; enum?: unknown; format?: string };

/** A text of a request holds no NUL, whatever else is asked of it. */
function withoutNul(schema: Text): object {
  if (schema.type !== 'string' || schema.enum !== undefined || schema.format !== undefined) return {};
  if (schema.pattern === undefined) return { pattern: '^[^\\u0000]*$' };
  return schema.pattern === '\\S' ? { pattern: '^\\s*[^\\s\\u0000][^\\u0000]*$' } : {};
}

/**
 * Schemas with a name stand once, in one place; elsewhere they are references. `supported` are the values that are
 * taken, shown as `enum`: another one is refused by a code of its own, so the reader of bodies lets it pass.
 */
export function referTo(components: Record<string, unknown>, place = '#/components/schemas') {
  const walk = (schema: unknown, input: boolean, top = false): unknown => {
    if (Array.isArray(schema)) return schema.map((item) => walk(item, input));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id, supported, ...rest } = schema as { $id?: string; supported?: readonly string[] };
    if ($id && !top) {
      if (!components[$id]) {
        components[$id] = {};
        components[$id] = walk(schema, input, true);
      }
      return { $ref: `${place}/${$id}` };
    }
    const walked = Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : walk(value, input)]);
    const bounds = supported ? { enum: supported } : input ? withoutNul(rest) : {};
    return { ...Object.fromEntries(walked), ...bounds } as unknown;
  };
  return { refer: (schema: TSchema) => walk(schema, false), referInput: (schema: TSchema) => walk(schema, true) };
}
