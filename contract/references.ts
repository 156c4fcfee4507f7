import type { TSchema } from 'typebox';

/**
 * Schemas with a name stand once, under components; elsewhere they are references. `supported` are the values that are
 * taken, shown as `enum`: another one is refused by a code of its own, so the reader of bodies lets it pass.
 */
export function referTo(components: Record<string, unknown>) {
  const walk = (schema: unknown, top = false): unknown => {
    if (Array.isArray(schema)) return schema.map((item) => walk(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id, supported, ...rest } = schema as { $id?: string; supported?: readonly string[] };
    if ($id && !top) {
      if (!components[$id]) {
        components[$id] = {};
        components[$id] = walk(schema, true);
      }
      return { $ref: `#/components/schemas/${$id}` };
    }
    const walked = Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : walk(value)]);
    return { ...Object.fromEntries(walked), ...(supported ? { enum: supported } : {}) } as unknown;
  };
  return (schema: TSchema) => walk(schema);
}
