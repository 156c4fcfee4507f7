import type { TSchema } from 'typebox';

/** Schemas with a name stand once, under components; elsewhere they are references. */
export function referTo(components: Record<string, unknown>) {
  const walk = (schema: unknown, top = false): unknown => {
    if (Array.isArray(schema)) return schema.map((item) => walk(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id, ...rest } = schema as { $id?: string };
    if ($id && !top) {
      if (!components[$id]) {
        components[$id] = {};
        components[$id] = walk(schema, true);
      }
      return { $ref: `#/components/schemas/${$id}` };
    }
    return Object.fromEntries(
      Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : walk(value)]),
    );
  };
  return (schema: TSchema) => walk(schema);
}
