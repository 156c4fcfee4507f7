import Type, { type Static } from 'typebox';
import { FileIds } from '../files/file.ts';
import { Closed, emojiOnly, emojiParts, hidden, Nullable } from '../shapes.ts';

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
export const Reference = Type.String({
  ...visibleText(100),
  description:
    '1 to 100 visible characters without spaces at the ends. Your own number for the job; the studio sees it.',
  examples: ['PO-2026-114'],
});
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 20,
  propertyNames: {
    type: 'string',
    ...visibleText(40),
    description: '1 to 40 visible characters without spaces at the ends.',
  },
  additionalProperties: { type: 'string', maxLength: 500 },
  description: 'Your own data, which the studio never sees: 20 keys of 40 characters, texts of 500.',
  examples: [{ campaign: 'spring', customer: '4711' }],
});

export const StoredMetadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'The `metadata` of the job.',
});

/** What may be changed after the job was created. */
export const correctableFields = ['reference', 'metadata', 'wanted_by'] as const;
export type CorrectableField = (typeof correctableFields)[number];

export const Wish = Nullable(
  Type.String({ format: 'date-time' }),
  'When you wish to have the work: a time to come. ISO 8601 with a zone. The studio sees it, and it promises nothing: `due_at` stays as planned.',
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
    reference: Type.Optional(Reference),
    metadata: Type.Optional(Metadata),
    wanted_by: Type.Optional(Wish),
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
  wanted_by: null,
  file_ids: null,
};
export type Draft = Omit<Static<typeof NewJob>, 'file_ids'>;
