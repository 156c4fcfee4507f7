import type { Family } from '../catalog/catalog.ts';
import { type Finding, findLabels, findSuggestions } from '../requirements/find-suggestions.ts';
import { notAnAnswer } from '../requirements/is-answer.ts';
import {
  type Draft,
  fieldOf,
  leftOpen,
  type Question,
  requirementIn,
  withAnswer,
  withSuggestion,
  withWords,
} from './draft.ts';

/** `findings`: what the model suggests. */
export type Message = { text: string; files: { id: string; name: string | null }[]; findings: Finding[] };
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

/** "Label: answer", wherever it stands. */
export const readLabels = (family: Family, draft: Draft, message: Message): Step | null =>
  findLabels(family, draft.service_type, message.text).length === 0
    ? null
    : silent(readText(family, withRest(family, draft, message.text), message));

/** Keeps a text in the words unless all of it is "label: answer". */
export function withRest(family: Family, draft: Draft, text: string): Draft {
  const labels = findLabels(family, draft.service_type, text);
  const rest = labels.reduce((left, { span }) => left.replace(span, ''), text);
  const saysNothing = /^(?:correction|change|sorry|ok|so)?[^\p{L}]*$/iu.test(rest.trim());
  return labels.length > 0 && saysNothing ? draft : withWords(draft, text);
}

const point = /^\s{0,9}(\d{1,2})[.)]\s*/u;

/** A numbered list answers the numbered list that was shown. What it declines is left open. */
export function readList(family: Family, draft: Draft, { text }: Message): Step | null {
  const listed = draft.question && 'open' in draft.question ? draft.question.open : [];
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const labels = rows.map((row) => listed[Number(point.exec(row)?.[1] ?? 0) - 1]);
  if (rows.length === 0 || labels.includes(undefined) || new Set(labels).size < rows.length) return null;
  const read = rows.reduce((read, row, i) => {
    const label = labels[i]!;
    const answer = row.replace(point, '');
    const reason = notAnAnswer(answer, requirementIn(family, label));
    if (reason === null) return withAnswer(read, label, answer, 'typed');
    return ['declines', 'refuses', 'none'].includes(reason) ? leftOpen(read, label) : read;
  }, draft);
  return silent(read);
}
