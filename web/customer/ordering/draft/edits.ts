import { labelOf, type StudioField, studioNames } from '../../../../contract/jobs/optional-fields.ts';
import type { IntakeSession } from '../../../app/api.ts';

/** What the author typed and the service may not have yet, by field. */
export type Edits = Record<string, string>;
export type Stored = Pick<
  IntakeSession,
  'customer_title' | 'words' | StudioField | 'file_ids' | 'brand_kit' | 'answers' | 'suggestions'
>;

const prefix = 'answer: ';
/** The field of a requirement. The others are those of `facts`. */
export const answerField = (requirement: string): string => prefix + requirement;
export const requirementOf = (field: string): string | null =>
  field.startsWith(prefix) ? field.slice(prefix.length) : null;

type Change = Partial<Omit<Stored, 'answers' | 'suggestions'>>;
type Fact = { name: string; of: (stored: Stored) => string; body: (text: string) => Change };

const nullable = (name: string, property: 'customer_title' | StudioField): Fact => ({
  name,
  of: ({ [property]: value }) => value ?? '',
  body: (text) => ({ [property]: text || null }),
});

/** The text of `kit` when it stays out of the job. */
export const leftOut = 'left out';

/** What a draft has beside its answers. */
const facts: Record<string, Fact> = {
  title: nullable('Title', 'customer_title'),
  words: { name: 'Your words', of: ({ words }) => words, body: (words) => ({ words }) },
  ...Object.fromEntries(studioNames.map((name) => [name, nullable(labelOf(name, 'Your'), name)])),
  files: {
    name: 'Files',
    of: ({ file_ids }) => file_ids.join(' '),
    body: (text) => ({ file_ids: fileIdsIn(text) }),
  },
  kit: {
    name: 'Brand kit',
    of: ({ brand_kit: goesAlong }) => (goesAlong ? '' : leftOut),
    body: (text) => ({ brand_kit: text !== leftOut }),
  },
};

export const fileIdsIn = (text: string): string[] => text.split(' ').filter(Boolean);

/** What an earlier version of the page stored in this browser may have other names. */
const isField = (field: string): boolean => field in facts || requirementOf(field) !== null;

/** The name of a field, as the page shows it. */
export const fieldName = (field: string): string => requirementOf(field) ?? facts[field]?.name ?? field;

/** What PATCH gets for a field that is no answer. */
export const changeOf = (field: string, text: string): Change => facts[field]?.body(text) ?? {};

export function storedText(stored: Stored | null, field: string): string {
  if (!stored) return '';
  const requirement = requirementOf(field);
  if (requirement === null) return facts[field]?.of(stored) ?? '';
  return stored.answers.find((answer) => answer.requirement === requirement)?.answer ?? '';
}

/** The service stores texts without the spaces at their ends. */
export const isPending = (stored: Stored | null, edits: Edits, field: string): boolean =>
  edits[field] !== undefined && isField(field) && edits[field].trim() !== storedText(stored, field);

export const pendingFields = (stored: Stored | null, edits: Edits): string[] =>
  Object.keys(edits).filter((field) => isPending(stored, edits, field));

/** Fields of which a newer version has another text. */
export const changedFields = (before: Stored, after: Stored): string[] =>
  [
    ...Object.keys(facts),
    ...new Set([...before.answers, ...after.answers].map(({ requirement }) => answerField(requirement))),
  ].filter((field) => storedText(before, field) !== storedText(after, field));

/** After a newer version: what is still to be stored, or differs from the stored text by spaces only. */
export const editsAfter = (before: Stored, after: Stored, edits: Edits): Edits =>
  Object.fromEntries(
    Object.entries(edits).filter(
      ([field, text]) =>
        (isPending(before, edits, field) || storedText(before, field) === storedText(after, field)) &&
        text !== storedText(after, field),
    ),
  );
