import { publishedPattern } from '../../contract/document/references.ts';

export type Schema = {
  $id?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  supported?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  default?: unknown;
  format?: string;
  pattern?: string;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

/** `1 to 100`, `at least 1`, `at most 100`. Ignores a maximum that only reflects how numbers are stored. */
function range(least: number | undefined, most: number | undefined, unit = ''): string[] {
  const bound = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  if (least === undefined && bound === undefined) return [];
  if (bound === undefined) return [`at least ${least}${unit}`];
  return [least === undefined ? `at most ${bound}${unit}` : `${least} to ${bound}${unit}`];
}

function bounds(schema: Schema): string {
  const { format, uniqueItems, default: usual } = schema;
  const pattern = publishedPattern(schema);
  const notes = [
    ...(format ? [format] : []),
    ...range(schema.minimum, schema.maximum),
    ...range(schema.minLength, schema.maxLength, ' code points'),
    ...range(schema.minItems, schema.maxItems, ' entries'),
    ...(uniqueItems ? ['none twice'] : []),
    ...(pattern ? [`matches \`${pattern}\``] : []),
    ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
  ];
  return notes.length > 0 ? ` (${notes.join(', ')})` : '';
}

const oneOf = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join(' or ');

/** For example `list of Job`, `"a" or "b"`, `integer (1 to 100)`, `{ id: string, note?: string }`. */
export function phrase(schema: Schema, deep = 0): string {
  if (schema.anyOf) return schema.anyOf.map((option) => phrase(option, deep)).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.$id ?? oneOf(schema.enum);
  if (schema.supported) return oneOf(schema.supported);
  if (schema.type === 'array') return `list of ${phrase(schema.items ?? {}, deep)}${bounds(schema)}`;
  if (!schema.properties) return `${schema.type ?? 'JSON'}${bounds(schema)}`;
  if (schema.$id && deep > 0) return schema.$id;
  const properties = Object.entries(schema.properties).map(
    ([name, field]) => `${name}${schema.required?.includes(name) ? '' : '?'}: ${phrase(field, deep + 1)}`,
  );
  return `{ ${properties.join(', ')} }`;
}

/** The fields of a shape as a list; empty for other schemas. */
export function fields(title: string, value: unknown): string[] {
  const schema = value as Schema | undefined;
  if (!schema?.properties || Object.keys(schema.properties).length === 0) return [];
  const rows = Object.entries(schema.properties).map(([name, field]) => {
    const need = schema.required?.includes(name) ? '' : ' (optional)';
    // For a nullable field, describe the other type.
    const description = field.description ?? field.anyOf?.[0]?.description;
    return `- \`${name}\`${need}: ${phrase(field, 1)}${description ? `. ${description}` : ''}`;
  });
  return [`${title}:`, '', ...rows, ''];
}
