import type { Family, Requirement } from '../catalog/catalog.ts';
import type { Answer } from '../requirements/find-answers.ts';
import { isAnswer, strip } from '../requirements/undecided.ts';

/** What is known of a requirement: its answer on one line, or who has left it open. It is not asked for again. */
export type Note = Answer | { requirement: string; left: 'open' | 'studio' };

/** What is known of a conversation. Plain data, kept with the session, so that any process can take the next message. */
export type State = {
  service_type: string | null;
  /** The customer lets the studio choose the option; the brief says so. */
  option_left_to_studio: boolean;
  /** The option could not be found out; it is asked for when all else is known. */
  option_postponed: boolean;
  /** At most one a requirement, the newest last: "go back" takes it out. */
  notes: Note[];
  /** Messages that answered nothing, or more than was asked, word for word. */
  own_words: string[];
  files: { id: string; name: string }[];
  /** How far the question that stands was put: 0 first, 1 again, 2 with all there is to say. */
  tries: number;
  /** Requirements that the last message seemed to answer without having been asked: "no" takes them out. */
  guessed: string[];
  /** Of the brief; 0 before there is one. */
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

/** The state as the catalog of today allows it: an option that is no longer offered is asked for again. */
export const currentState = (family: Family, state: State): State =>
  chosenOption(family, state) ? state : { ...state, service_type: null };

/** In the order of the catalog. */
export const answersIn = (family: Family, { notes }: State): Answer[] =>
  family.intake_requirements.flatMap(({ label }) =>
    notes.filter((note): note is Answer => note.requirement === label && 'answer' in note),
  );

/** What is not answered, left open or not. */
export function missingOf(family: Family, state: State): string[] {
  const answered = answersIn(family, state).map(({ requirement }) => requirement);
  return family.intake_requirements.map(({ label }) => label).filter((label) => !answered.includes(label));
}

export const isAnswered = ({ notes }: State, label: string): boolean =>
  notes.some((note) => note.requirement === label && 'answer' in note);

export const isNoted = ({ notes }: State, label: string): boolean =>
  notes.some(({ requirement }) => requirement === label);

/** What a reply asks for: the option, a requirement, or nothing, where the brief can be proposed. */
export type Question = 'option' | Requirement | null;

export function questionOf({ intake_requirements }: Family, state: State): Question {
  const open = intake_requirements.find(({ label }) => !isNoted(state, label)) ?? null;
  return state.service_type === null && !(state.option_postponed && open) ? 'option' : open;
}

const called = /^(?:it(?:['’]s| is)|we(?:['’]re| are)) (?:called|named) /iu;

/** Text as an answer on one line; null where it says nothing, like "TBD". */
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

/** A requirement is asked for again. */
export const withoutNote = (state: State, label: string): State => ({
  ...state,
  notes: state.notes.filter(({ requirement }) => requirement !== label),
});

export const withNote = (state: State, note: Note): State => ({
  ...state,
  notes: [...withoutNote(state, note.requirement).notes, note],
});
