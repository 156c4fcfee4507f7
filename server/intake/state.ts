import type { Family, Option, Requirement } from '../catalog/catalog.ts';
import { isAnswer, strip } from '../requirements/undecided.ts';

/** What a reply asks for: which option, or one requirement by its label. */
export type Question = { option: true } | { requirement: string };

/** What is known of a conversation. Plain data, kept with the session, so that any process can take the next message. */
export type State = {
  service_type: string | null;
  /** The customer lets the studio choose the option; the brief says so. */
  option_left_to_studio: boolean;
  /** The option could not be found out; it is asked for again when all else is. */
  option_postponed: boolean;
  /** By label, each one line. */
  answers: Record<string, string>;
  /** Unanswered requirements that are not asked for again, by label, and whether the studio decides them. */
  left: Record<string, 'open' | 'studio'>;
  /** Messages that answered nothing, or more than was asked, word for word. */
  own_words: string[];
  files: { id: string; name: string }[];
  /** Null before the first question and when the brief is ready. */
  asked: Question | null;
  /** How often the present question was met with something else. */
  misses: number;
  /** Requirements that the customer could not answer and that were explained. */
  explained: string[];
  /** Labels in the order in which they were answered: "go back" takes out the last one. */
  history: string[];
  /** What the last message was taken for without having been asked: "no" takes it out. */
  guessed: string[];
  /** Of the brief; 0 before there is one. */
  version: number;
};

export function newState(family: Family, serviceType: string | null): State {
  const only = family.options.length === 1 ? family.options[0]!.id : null;
  return {
    service_type: serviceType ?? only,
    option_left_to_studio: false,
    option_postponed: false,
    answers: {},
    left: {},
    own_words: [],
    files: [],
    asked: null,
    misses: 0,
    explained: [],
    history: [],
    guessed: [],
    version: 0,
  };
}

export const chosenOption = (family: Family, { service_type }: State): Option | undefined =>
  family.options.find(({ id }) => id === service_type);

/** The requirement that the last reply asked for. */
export const askedRequirement = (family: Family, { asked }: State): Requirement | undefined =>
  asked && 'requirement' in asked
    ? family.intake_requirements.find(({ label }) => label === asked.requirement)
    : undefined;

/** What is not answered, left open or not. */
export const missingOf = (family: Family, state: State): Requirement[] =>
  family.intake_requirements.filter(({ label }) => state.answers[label] === undefined);

/** What to ask next; null when the brief can be proposed. */
export function nextQuestion(family: Family, state: State): Question | null {
  const next = missingOf(family, state).find(({ label }) => state.left[label] === undefined);
  if (state.service_type === null && !(state.option_postponed && next)) return { option: true };
  return next ? { requirement: next.label } : null;
}

/** The state as the catalog of today allows it: an option that is no longer offered is asked for again. */
export const currentState = (family: Family, state: State): State =>
  state.service_type === null || chosenOption(family, state)
    ? state
    : { ...state, service_type: null, asked: { option: true }, misses: 0 };

const called = /^(?:it(?:['’]s| is)|we(?:['’]re| are)) (?:called|named) /iu;

/** Text as an answer on one line; null where it says nothing, like "TBD". */
export function asAnswer(text: string): string | null {
  const lines = text.split('\n').map((line, i) => (i === 0 ? line : line.replace(/^\s*[-*•] /u, '')).trim());
  const answer = lines
    .filter(Boolean)
    .join('; ')
    .replace(/\s+/gu, ' ')
    .replace(called, '')
    .replace(/(?<![\s.,;:])(?:,? please)?[\s.,;:]{0,9}$/iu, '');
  return isAnswer(strip(answer)) ? answer : null;
}

export function noteAnswer(state: State, label: string, answer: string): State {
  const { [label]: _, ...left } = state.left;
  const history = [...state.history.filter((one) => one !== label), label];
  return { ...state, answers: { ...state.answers, [label]: answer }, left, history };
}

export const leave = (state: State, label: string, to: 'open' | 'studio'): State => ({
  ...withoutAnswer(state, label),
  left: { ...state.left, [label]: to },
});

/** A requirement is asked for again. */
export function withoutAnswer(state: State, label: string): State {
  const { [label]: _, ...answers } = state.answers;
  const { [label]: __, ...left } = state.left;
  return { ...state, answers, left, history: state.history.filter((one) => one !== label) };
}
