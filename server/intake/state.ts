import type { Family, Requirement } from '../catalog/catalog.ts';
import type { Answer } from '../requirements/find-answers.ts';
import { isAnswer, strip } from '../requirements/undecided.ts';

/** A requirement's answer on one line, or who decided to leave it open. */
export type Note = Answer | { requirement: string; left: 'open' | 'studio' };

/** Plain data, stored with the session, so that any process can handle the next message. */
export type State = {
  service_type: string | null;
  option_left_to_studio: boolean;
  /** The option stayed unclear; it is asked again at the end. */
  option_postponed: boolean;
  /** At most one per requirement, newest last. "go back" removes the newest. */
  notes: Note[];
  /** Messages that answered nothing or contained more than an answer, unchanged. */
  own_words: string[];
  files: { id: string; name: string }[];
  /** How the current question was asked: 0 first, 1 repeated, 2 with the full explanation. */
  tries: number;
  /** Requirements whose answers were guessed from the last message. "no" rejects them. */
  guessed: string[];
  /** The brief's version; 0 before the first. */
  version: number;
};

export const newState = (family: Family, serviceType: string | null): State => ({
  service_type: serviceType ?? (family.options.length === 1 ? family.options[0]!.id : null),
  option_left_to_studio: false,
  option_postponed: false,
  notes: [],
  own_words: [],
  files: [],
  tries: 0,
  guessed: [],
  version: 0,
});

export const chosenOption = (family: Family, { service_type }: State) =>
  family.options.find(({ id }) => id === service_type) ?? null;

/** Drops an option that the current catalog no longer offers. */
export const currentState = (family: Family, state: State): State =>
  chosenOption(family, state) ? state : { ...state, service_type: null };

/** In catalog order. */
export const answersIn = (family: Family, { notes }: State): Answer[] =>
  family.intake_requirements.flatMap(({ label }) =>
    notes.filter((note): note is Answer => note.requirement === label && 'answer' in note),
  );

/** Requirements without an answer, including those left open. */
export function missingOf(family: Family, state: State): string[] {
  const answered = answersIn(family, state).map(({ requirement }) => requirement);
  return family.intake_requirements.map(({ label }) => label).filter((label) => !answered.includes(label));
}

export const isAnswered = ({ notes }: State, label: string): boolean =>
  notes.some((note) => note.requirement === label && 'answer' in note);

export const isNoted = ({ notes }: State, label: string): boolean =>
  notes.some(({ requirement }) => requirement === label);

/** The option, a requirement, or null when the brief is complete. */
export type Question = 'option' | Requirement | null;

export function questionOf({ intake_requirements }: Family, state: State): Question {
  const open = intake_requirements.find(({ label }) => !isNoted(state, label)) ?? null;
  return state.service_type === null && !(state.option_postponed && open) ? 'option' : open;
}

const called = /^(?:it(?:['’]s| is)|we(?:['’]re| are)) (?:called|named) /iu;

/** Text as an answer on one line. Null if it says nothing, like "TBD". */
export function asAnswer(text: string): string | null {
  const answer = text
    .replace(/\n\s*(?:[-*•] )?/gu, '; ')
    .trim()
    .replace(/(?:; ){2,}/gu, '; ')
    .replace(/\s+/gu, ' ')
    .replace(called, '')
    .replace(/(?<![\s.,;:])(?:,? please)?[\s.,;:]{0,9}$/iu, '');
  return isAnswer(strip(answer)) ? answer : null;
}

export const withoutNote = (state: State, label: string): State => ({
  ...state,
  notes: state.notes.filter(({ requirement }) => requirement !== label),
});

export const withNote = (state: State, note: Note): State => ({
  ...state,
  notes: [...withoutNote(state, note.requirement).notes, note],
});
