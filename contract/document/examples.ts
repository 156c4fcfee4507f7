import type { TSchema } from 'typebox';

type Schema = {
  type?: string;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
};

function make(name: string, schema: Schema): unknown {
  const { examples, default: usual, properties, required = [] } = schema;
  if (examples) return examples[0];
  if (usual !== undefined) return usual;
  if (schema.enum) return schema.enum[0];
  if (schema.items) return [make(name, schema.items)];
  if (!properties) throw new Error(`The field ${name} needs an example.`);
  const shown = Object.entries(properties).filter(
    ([field, of]) => required.includes(field) || of.default !== undefined,
  );
  return Object.fromEntries(shown.map(([field, of]) => [field, make(field, of)]));
}

/** The body's own example, or one made of required fields and defaults. */
export const exampleOf = (body: TSchema): unknown => make('body', body);
