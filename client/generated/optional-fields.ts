/**
 * What an order may have besides its service, title, instructions and files. The API, the store, the tools,
 * the command line, the pages, the exports and the guide are made from this list: another field is an entry
 * here and a column of `jobs`. The customer may change each until the job has ended. The command line has
 * a copy of this file, so it imports nothing.
 */
type Kind =
  | { kind: 'text'; most: number; example: string }
  /** Names and texts of the customer's own. */
  | { kind: 'map' }
  /** A time to come. */
  | { kind: 'date' }
  /** Templates and "Order again" keep it. A template has a column for it, too. */
  | { kind: 'choice'; choices: readonly string[] };

type ShownToStudio = {
  studioSees: true;
  /** Of facts and forms. */
  label: string;
  /** Below the field of a form. */
  hint: string;
};

type Field = Kind & {
  /** In sentences: "Change the … of a job". */
  word: string;
  /** For callers of the API, tools and commands: what to send. */
  description: string;
  /** The same for readers of an answer. */
  answered: string;
} & (ShownToStudio | { studioSees: false });

export const optionalFields = {
  reference: {
    kind: 'text',
    most: 100,
    example: 'PO-2026-114',
    word: 'reference',
    description: 'Your own number for the job; the studio sees it.',
    answered: 'The customer’s own number or name for the job.',
    studioSees: true,
    label: 'Reference',
    hint: 'Your own number for it. The studio sees it.',
  },
  metadata: {
    kind: 'map',
    word: 'metadata',
    description: 'Your own data, which the studio never sees: 20 keys of 40 characters, texts of 500.',
    answered: 'The `metadata` of the job.',
    studioSees: false,
  },
  wanted_by: {
    kind: 'date',
    word: 'wish',
    description: 'When you wish to have it. The studio sees it; it promises nothing.',
    answered: 'When the customer wishes to have the work. It promises nothing.',
    studioSees: true,
    label: 'Wished for',
    hint: 'The studio sees it; it promises nothing.',
  },
} as const satisfies Record<string, Field>;

type Fields = typeof optionalFields;
export type OptionalField = keyof Fields;
export type StudioField = { [N in OptionalField]: Fields[N]['studioSees'] extends true ? N : never }[OptionalField];
export type PrivateField = Exclude<OptionalField, StudioField>;
export type DateField = { [N in OptionalField]: Fields[N]['kind'] extends 'date' ? N : never }[OptionalField];
export type ReusedField = { [N in OptionalField]: Fields[N] extends { choices: object } ? N : never }[OptionalField];

type ValueOf<F> = F extends { kind: 'map' }
  ? Record<string, string>
  : (F extends { choices: readonly (infer C)[] } ? C : string) | null;
export type OptionalValues = { [N in OptionalField]: ValueOf<Fields[N]> };

/** By a name that is only known when it runs. */
export const fieldOf = (name: OptionalField): Field => optionalFields[name];

export const optionalNames = Object.keys(optionalFields) as OptionalField[];
export const studioNames = optionalNames.filter((name): name is StudioField => fieldOf(name).studioSees);
/** The studio has no use for these. */
export const privateNames = optionalNames.filter((name): name is PrivateField => !fieldOf(name).studioSees);
/** What another order of the kind has as well. */
export const reusedNames = optionalNames.filter((name): name is ReusedField => fieldOf(name).kind === 'choice');

/** A text is the customer's own: "Your reference", for the studio "Customer’s reference". */
export function labelOf(name: StudioField, whose: 'Your' | 'Customer’s'): string {
  const { kind, label }: Field & ShownToStudio = optionalFields[name];
  return kind === 'text' ? `${whose} ${label.toLowerCase()}` : label;
}

/** "reference, metadata or wish" */
export const sayFields = (names: readonly OptionalField[]): string =>
  names
    .map((name) => fieldOf(name).word)
    .join(', ')
    .replace(/, (?!.*, )/, ' or ');

/** What `values` has of these fields, times as text; null, or no pair, for the others. */
export const valuesOf = <N extends OptionalField>(names: readonly N[], values: { [K in N]?: unknown }) =>
  Object.fromEntries(
    names.map((name) => {
      const { [name]: value = null } = values;
      if (value instanceof Date) return [name, value.toISOString()];
      return [name, value === null && fieldOf(name).kind === 'map' ? {} : value];
    }),
  ) as Pick<OptionalValues, N>;
