import type { Family, Requirement } from '../catalog/catalog.ts';
import { bare, isAnswer } from '../requirements/answer.ts';
import { labelsByName } from './sentences.ts';

/** What a reply asked for: which option, or one requirement by its label. */
export type Asked = { option: true } | { requirement: string };

/** What the concierge remembers of a conversation. Plain data, kept with the session. */
export type Talk = {
  service_type: string | null;
  /** By label, each one line. */
  answers: Record<string, string>;
  /** Requirements whose answers were found in sentences that answered no question of ours. */
  guessed: string[];
  /** Requirements that the customer leaves open. */
  open: string[];
  deadline: string | null;
  /**
   * What the customer wrote, word for word; `about`: the requirement that the whole message answered; `told`: all that it
   * answered, corrected or added to, which older conversations lack.
   */
  words: { text: string; about: string | null; told?: string[] }[];
  files: { id: string; name: string }[];
  /** Null once there is nothing left to ask. */
  asked: Asked | null;
  /** Requirements that the customer could not answer and that were explained. */
  explained: string[];
  /** Of the brief; 0 before there is one. */
  version: number;
};

export const newTalk = (family: Family, serviceType: string | null): Talk => {
  const only = family.options.length === 1 ? family.options[0]!.id : null;
  return {
    service_type: serviceType ?? only,
    answers: {},
    guessed: [],
    open: [],
    deadline: null,
    words: [],
    files: [],
    asked: null,
    explained: [],
    version: 0,
  };
};

/** A conversation that starts over: the option stays, and so does the count of briefs. */
export const restarted = (family: Family, { service_type, version, asked }: Talk): Talk => ({
  ...newTalk(family, service_type),
  version,
  asked: asked && 'option' in asked ? asked : null,
});

/** The requirement that the last reply asked for. */
export const askedOf = ({ asked }: Talk): string | null => (asked && 'requirement' in asked ? asked.requirement : null);

export const requirementAsked = (family: Family, talk: Talk): Requirement | undefined =>
  family.intake_requirements.find(({ label }) => isAsked(talk, label));

/** Whether the last reply asked for this requirement. */
export const isAsked = (talk: Talk, label: string): boolean => askedOf(talk) === label;

const article = /^(?:the|our|my|its|their|your|that|this|any) /u;
const trailing =
  / (?:again|please|now|from (?:the brief|it|there)|entirely|completely|answer|part|line|bit|question|yet|either|so far|is|are|should be|to use)$/u;

/** The requirement that words in small letters name, and nothing else: "the audience". */
export function labelNamed(family: Family, words: string): string | null {
  const labels = labelsByName(family);
  let text = words.replace(article, '');
  for (let i = 0; i < 3 && !labels.has(text); i += 1) text = text.replace(trailing, '');
  return labels.get(text) ?? null;
}

/** White space as single spaces, lines of a list one after the other. */
export const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line, i) => (i === 0 ? line : line.replace(/^\s*(?:[-*•]|\d{1,2}[.)]) /, '')).trim())
    .filter(Boolean)
    .join('; ')
    .replace(/\s+/gu, ' ');

/** Text as the answer to a requirement: without the marks around it, or null where it says nothing. */
export function asAnswer(text: string): string | null {
  const answer = oneLine(text)
    .replace(/(?<![\s,;:])[\s,;:]+$/u, '')
    .replace(/(?<![.!?])\.$/u, '')
    .trim();
  return isAnswer(bare(answer)) ? closed(answer) : null;
}

/** With the closing mark that was taken for one around the answer: "see the handbook (attached". */
function closed(answer: string): string {
  const count = (mark: string) => answer.split(mark).length - 1;
  return `${answer}${count('"') % 2 === 1 ? '"' : ''}${count('(') > count(')') ? ')' : ''}`;
}

/** The requirements that a brief would still be reported to lack, left open or not. */
export const missingOf = (family: Family, talk: Talk): Requirement[] =>
  family.intake_requirements.filter(({ label }) => talk.answers[label] === undefined);

/** What to ask next; null when the brief can be proposed. */
export function nextOf(family: Family, talk: Talk): Asked | null {
  if (talk.service_type === null) return { option: true };
  const next = missingOf(family, talk).find(({ label }) => !talk.open.includes(label));
  return next ? { requirement: next.label } : null;
}

/** Whether a brief was proposed and waits for the customer. */
export const isReady = (family: Family, talk: Talk): boolean => nextOf(family, talk) === null;

/** The talk as the catalog of today allows it: an option that is no longer offered is asked for again. */
export function current(family: Family, talk: Talk): Talk {
  if (talk.service_type === null || family.options.some(({ id }) => id === talk.service_type)) return talk;
  return { ...talk, service_type: null, asked: { option: true } };
}
