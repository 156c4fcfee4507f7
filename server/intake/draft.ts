import type { Static } from 'typebox';
import { type OptionalValues, type StudioField, studioNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import type { DraftAnswer, Suggestion as ShownSuggestion } from '../../contract/jobs/brief.ts';
import {
  type Catalog,
  type Family,
  type Option,
  type Requirement,
  requirementsOf,
  withoutOptional,
} from '../catalog/catalog.ts';

export type Answer = Static<typeof DraftAnswer>;
export type Suggestion = Static<typeof ShownSuggestion>;
export type Service = { service_family: string; service_type: string | null };
/** `service`: which one (null), or whether to change to it. `open`: what is only suggested, at the end. */
export type Question = { service: Service | null } | { requirement: string } | { open: string[] } | null;

/** The state of one requirement: its answer and its suggestion. */
type Field = {
  answer: Answer | null;
  suggestion: Suggestion | null;
  /** The customer leaves it to the studio. */
  open: boolean;
  /** Suggested answers that the customer does not want to see again. */
  dismissed: string[];
};

/** An order in preparation. Plain data, so that any process can handle the next change. */
export type Draft = Service &
  Pick<OptionalValues, StudioField> & {
    /** By requirement. */
    fields: Record<string, Field>;
    files: { id: string; name: string }[];
    /** Whether the job gets a copy of the brand kit. Drafts of an earlier version do not say so. */
    brand_kit?: boolean;
    /** What the customer calls the job. */
    title: string | null;
    /** What the customer wrote, except for what stands in the answers as a whole. */
    words: string;
    version: number;
    /** Whether the first message was read. */
    opened: boolean;
    /** The question that the last reply asked. */
    question: Question;
    /** The requirement that the last reply to a question was about. "No, make it …" changes it. */
    replied: string | null;
    /** The requirements for which the last reply suggested something. */
    offered: string[];
    /** The customer does not write in the language of the catalog. */
    foreign: boolean;
  };

export const newDraft = ({ id, options }: Family, serviceType: string | null): Draft => ({
  service_family: id,
  service_type: serviceType ?? (options.length === 1 ? options[0]!.id : null),
  fields: {},
  files: [],
  ...valuesOf(studioNames, {}),
  title: null,
  words: '',
  version: 0,
  opened: false,
  question: null,
  replied: null,
  offered: [],
  foreign: false,
});

export const familyOf = ({ families }: Pick<Catalog, 'families'>, { service_family }: Service): Family | null =>
  families.get(service_family) ?? null;

export const optionOf = (family: Family, { service_type }: Service): Option | null =>
  family.options.find(({ id }) => id === service_type) ?? null;

export const requirementIn = (family: Family, label: string): Requirement | null =>
  family.intake_requirements.find((requirement) => requirement.label === label) ?? null;

/** The requirement that the last reply asked for. */
export const questionedIn = (family: Family, { question }: Draft): Requirement | null =>
  question && 'requirement' in question ? requirementIn(family, question.requirement) : null;

const blank: Field = { answer: null, suggestion: null, open: false, dismissed: [] };
export const fieldOf = ({ fields }: Draft, label: string): Field => fields[label] ?? blank;

/** In the order of the catalog; all that there are if it no longer has the family. */
export const fieldsOf = (family: Family | null, draft: Draft): (Field & { label: string })[] =>
  (family ? requirementsOf(family, draft.service_type).map(({ label }) => label) : Object.keys(draft.fields)).map(
    (label) => ({ label, ...fieldOf(draft, label) }),
  );

const labelsOf = (fields: { label: string }[]): string[] => fields.map(({ label }) => label);
export const answersOf = (family: Family | null, draft: Draft): Answer[] =>
  fieldsOf(family, draft).flatMap(({ answer }) => answer ?? []);
export const suggestionsOf = (family: Family | null, draft: Draft): Suggestion[] =>
  fieldsOf(family, draft).flatMap(({ suggestion }) => suggestion ?? []);
export const openIn = (family: Family | null, draft: Draft): string[] =>
  labelsOf(fieldsOf(family, draft).filter(({ open }) => open));

/** Requirements without an answer, including those that are left open or only suggested. */
export const missingIn = (family: Family, draft: Draft): string[] =>
  labelsOf(fieldsOf(family, draft).filter(({ answer }) => answer === null));

/** Requirements that are neither answered nor left open. */
export const unsettledIn = (family: Family, draft: Draft): string[] =>
  labelsOf(fieldsOf(family, draft).filter(({ answer, open }) => answer === null && !open));

export const isReady = (family: Family, draft: Draft): boolean =>
  optionOf(family, draft) !== null && withoutOptional(family, unsettledIn(family, draft)).length === 0;

export const withField = (draft: Draft, label: string, change: Partial<Field>): Draft => ({
  ...draft,
  fields: { ...draft.fields, [label]: { ...fieldOf(draft, label), ...change } },
});

/** A field that is answered or left open is no longer asked for. */
const settled = (draft: Draft, label: string, change: Partial<Field>): Draft => ({
  ...withField(draft, label, { answer: null, suggestion: null, open: false, ...change }),
  question: askedFor(draft.question).includes(label) ? null : draft.question,
});

export const withAnswer = (draft: Draft, requirement: string, answer: string, source: Answer['source']): Draft =>
  settled(draft, requirement, { answer: { requirement, answer: answer.trim(), source } });

/** What the brand kit says stays beside it. */
export function leftOpen(draft: Draft, label: string): Draft {
  const { suggestion } = fieldOf(draft, label);
  return settled(draft, label, { open: true, suggestion: suggestion?.by === 'brand' ? suggestion : null });
}

/** The newest suggestion for a requirement replaces an older one. */
export const withSuggestion = (draft: Draft, suggestion: Suggestion): Draft =>
  fieldOf(draft, suggestion.requirement).dismissed.includes(suggestion.answer)
    ? draft
    : withField(draft, suggestion.requirement, { suggestion });

export const accepted = (draft: Draft, { requirement, answer, by }: Suggestion): Draft =>
  withAnswer(draft, requirement, answer, by === 'brand' ? 'brand' : 'accepted');

export const dismissed = (draft: Draft, { requirement, answer }: Suggestion): Draft =>
  withField(draft, requirement, {
    suggestion: null,
    dismissed: [...fieldOf(draft, requirement).dismissed, answer].slice(-20),
  });

export const takesBrand = ({ brand_kit = true }: Draft): boolean => brand_kit;

/** The question is answered by the fact of the brand kit that goes along. */
export const isInBrand = (draft: Draft, label: string): boolean =>
  takesBrand(draft) && fieldOf(draft, label).suggestion?.by === 'brand';

export const withWords = (draft: Draft, text: string): Draft =>
  draft.words.includes(text.trim()) ? draft : { ...draft, words: `${draft.words}\n\n${text.trim()}`.trim() };

/** Answers that the new service does not ask for go into the words, so that nothing is lost. */
export function withService(draft: Draft, family: Family, service_type: string | null): Draft {
  const before = Object.values(draft.fields).flatMap(({ answer }) => answer ?? []);
  const labels = new Set(requirementsOf(family, service_type).map(({ label }) => label));
  const fields = Object.fromEntries(Object.entries(draft.fields).filter(([label]) => labels.has(label)));
  const lost = before.filter(({ requirement }) => !labels.has(requirement));
  const changed = { ...draft, service_family: family.id, service_type, fields, question: null, replied: null };
  return lost.length === 0
    ? changed
    : withWords(changed, lost.map(({ requirement, answer }) => `${requirement}: ${answer}`).join('\n'));
}

const askedFor = (question: Question): string[] =>
  question === null || 'service' in question ? [] : 'open' in question ? question.open : [question.requirement];

/** The first field without answer or suggestion; at last all that are only suggested. */
export function nextQuestion(family: Family, draft: Draft): Question {
  if (optionOf(family, draft) === null) return { service: null };
  const open = unsettledIn(family, draft);
  const next = open.find((label) => !fieldOf(draft, label).suggestion);
  if (next !== undefined) return { requirement: next };
  return open.length > 0 ? { open } : null;
}

/** After a change in the form: an open question stays as it is. */
export const asChanged = (family: Family, draft: Draft): Draft => ({
  ...draft,
  question: draft.question && !('open' in draft.question) ? draft.question : nextQuestion(family, draft),
  version: draft.version + 1,
});

/** Left open with their suggestions, which can still be accepted. */
export const restedOpen = (draft: Draft, labels: string[]): Draft =>
  labels.reduce((left, label) => withField(left, label, { open: true }), draft);
