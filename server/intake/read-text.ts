import type { Family } from '../catalog/catalog.ts';
import type { CallerKind } from '../http/request.ts';
import { type Finding, findLabels, findSuggestions } from '../requirements/find-suggestions.ts';
import { notAnAnswer } from '../requirements/is-answer.ts';
import { type Draft, fieldOf, type Question, requirementIn, withAnswer, withSuggestion, withWords } from './draft.ts';

/** `findings`: what the model suggests. `asker`: whose words a reply is in. */
export type Message = {
  text: string;
  files: { id: string; name: string | null }[];
  findings: Finding[];
  asker: CallerKind;
  /** When the message was written, if not now. */
  now?: Date;
};
/** What a message does to the draft, and what the reply says. `question`: instead of the usual next one. */
export type Step = { draft: Draft; says: string[]; question?: Question };
export const silent = (draft: Draft): Step => ({ draft, says: [] });

/** Labels answer; what else is found is suggested for fields without an answer, in a correction for all. */
export function readText(family: Family, draft: Draft, { text, findings }: Message, isCorrection = false): Draft {
  const rules = draft.foreign ? findLabels : findSuggestions;
  const all = [...(draft.foreign ? [] : findings), ...rules(family, draft.service_type, text)];
  return all.reduce((read, finding) => {
    const { requirement, answer, by } = finding;
    const isLong = notAnAnswer(answer, requirementIn(family, requirement)) === 'long';
    if (by === 'labels' && !isLong) return withAnswer(read, requirement, answer, 'typed');
    const isSettled = by !== 'labels' && !isCorrection && fieldOf(read, requirement).answer !== null;
    return isSettled ? read : withSuggestion(withWords(read, text), finding);
  }, draft);
}

/** Keeps a text in the words unless all of it is "label: answer". */
export function withRest(family: Family, draft: Draft, text: string): Draft {
  const labels = findLabels(family, draft.service_type, text);
  const rest = labels.reduce((left, { span }) => left.replace(span, ''), text);
  const saysNothing = /^(?:correction|change|sorry|ok|so)?[^\p{L}]*$/iu.test(rest.trim());
  return labels.length > 0 && saysNothing ? draft : withWords(draft, text);
}
