export type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  [word: string]: unknown;
};
export type Document = {
  paths: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
};
/** What a caller sends must still be accepted; what it receives must still have all that it had. */
export type Direction = 'request' | 'answer';

/** Lists that the policy of change lets grow, because callers are told to pass over unknown values. */
const growing = new Set<string>([
  'ErrorCode',
  'EventType',
  'JobEventType',
  'CustomerAction',
  'AuditAction',
  'EntitlementStatus',
  'NotificationKind',
  'AlertKind',
  'AuthMethod',
  'CreatorKind',
  'Role',
]);

/** Words whose number may only rise in a request, and those whose number may only fall. */
const upper = ['maxLength', 'maximum', 'maxItems'];
const lower = ['minLength', 'minimum', 'minItems'];

export function resolve<T extends object>(document: Document, part: T & { $ref?: string }): T {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref ?? '') ?? [];
  return kind === '' ? part : ((document.components[kind]?.[name] ?? {}) as T);
}

/** A union as its members, a list of types as one schema each. */
function alternatives(document: Document, reference: Schema): Schema[] {
  const schema = resolve(document, reference);
  if (schema.anyOf) return schema.anyOf.flatMap((member) => alternatives(document, member));
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [{ ...schema, grows: growing.has(nameOf(reference)) }];
}

const nameOf = ({ $ref }: Schema): string => $ref?.split('/').at(-1) ?? '';
const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

type Pair = { documents: [Document, Document]; direction: Direction; seen: Set<string> };

/** What breaks a caller between two schemas, as sentences that begin with `place`. */
export function compareSchemas(pair: Pair, before: Schema, after: Schema, place: string): string[] {
  const key = `${nameOf(before)} ${nameOf(after)}`;
  if (key !== ' ' && pair.seen.has(key)) return [];
  pair.seen.add(key);
  const [old, now] = [alternatives(pair.documents[0], before), alternatives(pair.documents[1], after)];
  // A request keeps every old form; an answer has no form that it did not have.
  const [must, may] = pair.direction === 'request' ? [old, now] : [now, old];
  return must.flatMap((form) => {
    const candidates = may.filter(({ type }) => type === form.type || type === undefined);
    if (candidates.length === 0) return [`${place} has another type: ${String(form.type ?? 'any')}`];
    const faults = candidates.map((candidate) =>
      pair.direction === 'request'
        ? compareForms(pair, form, candidate, place)
        : compareForms(pair, candidate, form, place),
    );
    return faults.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

function compareForms(pair: Pair, before: Schema, after: Schema, place: string): string[] {
  return [
    ...compareValues(pair, before, after, place),
    ...(pair.direction === 'request' ? compareBounds(before, after, place) : []),
    ...compareFields(pair, before, after, place),
    ...(before.items && after.items ? compareSchemas(pair, before.items, after.items, `${place}[]`) : []),
  ];
}

function compareValues({ direction }: Pair, before: Schema, after: Schema, place: string): string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const [must, may] = direction === 'request' ? [old, now] : [now, old];
  if (!may || (direction === 'answer' && after['grows'])) return [];
  if (!must) return [`${place} ${direction === 'request' ? 'takes only some values' : 'may have any value'} now`];
  return must
    .filter((value) => !may.includes(value))
    .map((value) => `${place} ${direction === 'request' ? 'no longer takes' : 'has the new value'} ${String(value)}`);
}

function compareBounds(before: Schema, after: Schema, place: string): string[] {
  const narrower = (word: string) => {
    const [old, now] = [before[word], after[word]] as [number | undefined, number | undefined];
    if (now === undefined) return false;
    // What a pattern said that is no longer published may be said as a bound.
    if (old === undefined) return before['pattern'] === undefined || after['pattern'] !== undefined;
    return upper.includes(word) ? now < old : now > old;
  };
  // Releases up to 0.2.0 wrote NUL and digits of patterns as JavaScript alone reads them.
  const portable = (value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll('\\0', '\\x00').replaceAll('\\d', '[0-9]').replaceAll('[\\w', '[A-Za-z0-9_')
      : value;
  const changed = (word: string) => after[word] !== undefined && after[word] !== portable(before[word]);
  return [...[...upper, ...lower].filter(narrower), ...['pattern', 'format', 'uniqueItems'].filter(changed)].map(
    (word) => `${place} has a narrower ${word}`,
  );
}

function compareFields(pair: Pair, before: Schema, after: Schema, place: string): string[] {
  const [old, now] = [before.properties, after.properties];
  if (!old || !now) return [];
  const gone = Object.keys(old).filter((name) => !Object.hasOwn(now, name));
  const [required, had] =
    pair.direction === 'request' ? [after.required, before.required] : [before.required, after.required];
  const stricter = (required ?? []).filter((name) => !had?.includes(name) && !gone.includes(name));
  const words = pair.direction === 'request' ? 'is required now' : 'may be missing now';
  return [
    ...gone.map((name) => `${place}.${name} is gone`),
    ...stricter.map((name) => `${place}.${name} ${words}`),
    ...Object.entries(old).flatMap(([name, schema]) =>
      now[name] ? compareSchemas(pair, schema, now[name], `${place}.${name}`) : [],
    ),
  ];
}
