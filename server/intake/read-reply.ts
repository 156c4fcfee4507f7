import { explained } from '../catalog/answer-question.ts';
import type { Family, Requirement } from '../catalog/catalog.ts';
import { findSuggestions } from '../requirements/find-suggestions.ts';
import { insteadOf, isSentence, notAnAnswer, plain } from '../requirements/is-answer.ts';
import { labelsNamed } from '../requirements/labels.ts';
import {
  accepted,
  dismissed,
  type Draft,
  fieldOf,
  fieldsOf,
  leftOpen,
  requirementIn,
  restedOpen,
  type Suggestion,
  suggestionsOf,
  unsettledIn,
  withAnswer,
  withField,
  withSuggestion,
  withWords,
} from './draft.ts';
import { type Message, readText, silent, type Step } from './read-text.ts';
import { changing, say } from './reply.ts';

/** A research question is itself a question, unless it is about the studio or the price. */
export const isQuestionAbout = ({ example }: Requirement, rest: string, text: string): boolean =>
  rest === '' && example.endsWith('?') && !/\b(?:you|i|costs?|possible)\b/iu.test(text);

/** "Here: file_…" only names files. */
export const onlyFiles = (text: string): boolean => plain(text.replaceAll(/\bfile_[0-9a-z]{26}\b/gu, '')).length <= 20;

/** In doubt a reply is suggested for the question. */
export const withReply = (draft: Draft, requirement: string, text: string): Draft =>
  withSuggestion(withWords(draft, text), { requirement, answer: text.trim(), span: text.trim(), by: 'reply' });

/** What the table says about a reply without questions. */
export function readStatement(family: Family, draft: Draft, requirement: Requirement | null, message: Message): Step {
  const { text } = message;
  const worded = text.length > 20 ? withWords(draft, text) : draft;
  const suggestions = suggestionsOf(family, draft);
  const offers = suggestions.filter(({ requirement: label }) => draft.offered.includes(label));
  const instead = readInstead(family, draft, offers, message);
  if (instead) return instead;
  const allOpen = () => ({ draft: restedOpen(worded, unsettledIn(family, worded)), says: [say('orders')] });
  const isLabel = plain(text) === requirement?.label.toLowerCase();
  switch (isLabel ? 'explain' : notAnAnswer(text, requirement)) {
    case 'declines':
      if (!requirement) return allOpen();
      return { draft: leftOpen(worded, requirement.label), says: [say('left', { label: requirement.label })] };
    case 'orders':
      return allOpen();
    case 'accepts':
      return silent(suggestions.reduce(accepted, draft));
    case 'agrees':
      return silent(offers.reduce(accepted, draft));
    case 'refuses':
      return { draft: offers.reduce(dismissed, draft), says: offers.length > 0 ? [say('dropped')] : [] };
    case 'explain':
      return { draft, says: requirement ? [explained(requirement)] : [] };
    case 'greets':
    case 'asks':
      return silent(draft);
    case 'corrects':
      return readCorrection(family, withWords(draft, text), message);
    case 'long':
      return silent(readText(family, withWords(draft, text), message));
    case null:
      return requirement ? silent(readAnswer(family, draft, requirement, message)) : readRemark(family, draft, message);
  }
}

/** "No, make it blue" is the answer to what the last reply offered, else to what was replied last. */
function readInstead(family: Family, draft: Draft, offers: Suggestion[], message: Message): Step | null {
  const text = insteadOf(message.text);
  // A stored draft of 0.2.0 has no `replied`.
  const requirement = requirementIn(family, offers[0]?.requirement ?? draft.replied ?? '');
  if (text === null || requirement === null) return null;
  if (offers.length > 1 || labelsNamed(family, text).length > 0)
    return readCorrection(family, withWords(draft, message.text), { ...message, text });
  const { label } = requirement;
  const before = { ...withField(draft, label, { suggestion: null }), offered: [], replied: null };
  const step = readStatement(family, before, requirement, { ...message, text });
  return { ...step, draft: { ...step.draft, replied: label } };
}

/** Text that answers no question is kept, and suggested where it names a field. */
function readRemark(family: Family, draft: Draft, message: Message): Step {
  const worded = withWords(draft, message.text);
  const read = readText(family, worded, message);
  return { draft: read, says: read === worded ? [say('kept')] : [] };
}

/** The answer to the question. A pasted text, which tells about other fields, becomes suggestions. */
function readAnswer(family: Family, draft: Draft, { label, kind }: Requirement, message: Message): Draft {
  const { text } = message;
  const isName = kind === 'name';
  const findings = draft.foreign ? [] : findSuggestions(family, draft.service_type, text);
  const isPasted = findings.length > (isName ? 0 : 1) || findings.some(({ requirement }) => requirement !== label);
  const read = isPasted ? readText(family, withWords(draft, text), message) : draft;
  if (fieldOf(read, label).suggestion) return read;
  if (isName && (isPasted || isSentence(text))) return withWords(read, text);
  const isListed = /^\s{0,9}\d{1,2}[.)]\s/u.test(text);
  return isPasted || isListed || draft.foreign ? withReply(read, label, text) : withAnswer(draft, label, text, 'typed');
}

/** Asks again for the field that it names. The answer stays until the customer gives the new one. */
function readCorrection(family: Family, before: Draft, message: Message): Step {
  const draft = readText(family, before, message, true);
  const labels = labelsNamed(family, message.text);
  const named = fieldsOf(family, before).filter(({ label }) => labels.includes(label));
  const field = named.find(({ answer }) => answer !== null) ?? named[0];
  if (!field) return { draft, says: draft === before ? [say('whichField')] : [] };
  const { label, answer } = field;
  if (fieldOf(draft, label).suggestion) return silent(draft);
  return { draft, says: answer ? [changing(label, answer.answer)] : [], question: { requirement: label } };
}
