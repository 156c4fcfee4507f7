import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import { FileIds } from '../files/file.ts';
import { fieldOf, type OptionalField, optionalNames, type OptionalValues } from './optional-fields.ts';
import { Closed, emojiOnly, emojiParts, hidden, Nullable, Timestamp } from '../shapes.ts';

/** Requires a visible character, because lists and mails show the title. Counts the trimmed title. */
const visible = `(?:[^\\s${hidden}]|[${emojiParts}])`;
const printable = `(?:[^${hidden}]|[${emojiParts}])`;
export const Title = Type.String({
  $id: 'CustomerTitle',
  minLength: 1,
  maxLength: 1_000,
  pattern: `^${emojiOnly}\\s*${visible}(?:${printable}{0,198}${visible})?\\s*$`,
  description: '1 to 200 code points after trimming, without control characters and without invisible ones.',
  examples: ['Logo for a neighbourhood bakery'],
});
export const Instructions = Type.String({
  $id: 'CustomerInstructions',
  minLength: 1,
  maxLength: 20_000,
  pattern: '\\S',
  description: '1 to 20,000 code points. Answered intake requirements go here, as `label: answer`.',
  examples: ['Target audience: families within two miles.\nBrand name: Rise Bakery.'],
});

/** At most `max` visible characters, without spaces at the ends. */
export const visibleText = (max: number) => ({
  minLength: 1,
  maxLength: max,
  pattern: `^${emojiOnly}${visible}(?:${printable}{0,${max - 2}}${visible})?$`,
});

const choice = (choices: readonly string[], description: string) =>
  Type.Enum([...choices], { type: 'string', description });

function sentShape(name: OptionalField): TSchema {
  const { description, ...field } = fieldOf(name);
  if (field.kind === 'text') {
    const bounds = `1 to ${field.most} visible characters without spaces at the ends.`;
    return Type.String({
      ...visibleText(field.most),
      description: `${bounds} ${description}`,
      examples: [field.example],
    });
  }
  if (field.kind === 'choice') return choice(field.choices, description);
  if (field.kind === 'date')
    return Type.String({ format: 'date-time', description: `${description} A time to come, ISO 8601 with a zone.` });
  const key = '1 to 40 visible characters without spaces at the ends.';
  return {
    type: 'object',
    maxProperties: 20,
    propertyNames: { type: 'string', ...visibleText(40), description: key },
    additionalProperties: { type: 'string', maxLength: 500 },
    description,
    examples: [{ campaign: 'spring', customer: '4711' }],
  };
}

function answeredShape(name: OptionalField): TSchema {
  const { answered, ...field } = fieldOf(name);
  if (field.kind === 'text') return Nullable(Type.String(), answered);
  if (field.kind === 'choice') return Nullable(choice(field.choices, answered));
  if (field.kind === 'date') return Nullable(Timestamp(answered));
  return Type.Object({}, { additionalProperties: { type: 'string' }, description: answered });
}

type Shapes<N extends OptionalField> = { [K in N]: TUnsafe<OptionalValues[K]> };
type OptionalShapes<N extends OptionalField> = { [K in N]: TOptional<TUnsafe<OptionalValues[K] | null>> };

/** Of a new order or template. Its dates and choices may be null, for programs that send all fields. */
export const sentFields = <N extends OptionalField>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => {
      const mayBeNull = ['date', 'choice'].includes(fieldOf(name).kind);
      return [name, Type.Optional(mayBeNull ? Nullable(sentShape(name)) : sentShape(name))];
    }),
  ) as OptionalShapes<N>;

export const changedFields = <N extends OptionalField>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name): [string, TSchema] => {
      const start = fieldOf(name).kind === 'map' ? 'Replaces all of it, with the bounds of creation' : 'As at creation';
      return [name, Type.Optional(Nullable(sentShape(name), `${start}; null clears it.`))];
    }),
  ) as OptionalShapes<N>;

export const answeredFields = <N extends OptionalField>(names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, answeredShape(name)])) as Shapes<N>;

/** What the arguments of a tool are. `clears`: an argument may take away what the job has. */
export const toolWords = (clears: boolean): Record<string, string> =>
  Object.fromEntries(
    optionalNames.map((name) => {
      const { kind, description } = fieldOf(name);
      if (!clears) return [name, kind === 'date' ? `${description} ISO 8601.` : description];
      return [name, kind === 'map' ? 'Replaces all of it; {} clears it.' : `${description} Empty text clears it.`];
    }),
  );

export const draftFields = {
  service_family: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A family id of the catalog.',
    examples: ['design'],
  }),
  service_type: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'An option id of that family.',
    examples: ['logo'],
  }),
  customer_title: Title,
  customer_instructions: Instructions,
};
export const NewJob = Closed(
  {
    ...draftFields,
    ...sentFields(optionalNames),
    file_ids: Type.Optional(FileIds),
  },
  {
    $id: 'NewJob',
    description: 'A draft, with uploaded files of the account that no job has yet.',
  },
);
/** Of the tools that check a draft. */
export const draftToCheck = {
  customer_title: 'At most 200 characters.',
  customer_instructions: 'As in create_job.',
  ...Object.fromEntries(optionalNames.map((name) => [name, null])),
  file_ids: null,
};
export type Draft = Omit<Static<typeof NewJob>, 'file_ids'>;
