import Type from 'typebox';
import { isTooLong } from '../../contract/ordering/fits-kind.ts';
import type { Requirement } from '../catalog/catalog.ts';
import { readYaml } from '../lib/read-yaml.ts';
import { isQuestion, sentencesOf, withoutSentences } from '../lib/sentences.ts';

/** Why a reply to the question is not its answer. */
const reasons = [
  'explain',
  'unknown',
  'declines',
  'orders',
  'accepts',
  'agrees',
  'refuses',
  'greets',
  'corrects',
] as const;
export type Reason = Exclude<(typeof reasons)[number], 'unknown'> | 'asks' | 'none' | 'long';

const texts = Type.Array(Type.String());
const table = readYaml(
  'requirements/is-answer.yaml',
  Type.Object({
    parts: Type.Object({ later: Type.String(), tail: Type.String() }),
    rows: Type.Array(Type.Object({ reason: Type.Enum(reasons), longest: Type.Integer(), says: Type.String() })),
    blank: texts,
    open: texts,
    asks: texts,
    doubtful: texts,
    sentence: texts,
  }),
);
const withParts = (source: string) =>
  source.replaceAll('{later}', table.parts.later).replaceAll('{tail}', table.parts.tail);
const anyOf = (sources: string[], before = '', after = '') =>
  new RegExp(`${before}(?:${sources.map((source) => `(?:${withParts(source)})`).join('|')})${after}`, 'u');

const wordEnd = '(?![\\p{L}\\p{N}])';
const beforeQuestion = '(?:^\\P{L}{0,3}|[,;:–—(-] ?|\\b(?:and|but|so|or|also|then|hi|hello) )';
const rows = table.rows.map((row) => ({ ...row, says: anyOf([row.says]) }));
const blank = anyOf(table.blank);
const leftOpen = anyOf(table.open, '(?<![\\p{L}\\p{N}])', wordEnd);
const question = anyOf(table.asks, beforeQuestion, wordEnd);
const doubtful = anyOf(table.doubtful);
const sentence = anyOf(table.sentence);

const leadIn =
  /^(?:(?:sorry|well|um+|uh|hmm+|honestly|oh|please|i'm afraid|i am afraid|to be honest|so|and|but|ok(?=,))[\s,.!…-]{1,3}){1,3}/u;

const lower = (text: string): string => text.toLowerCase().replaceAll('’', "'").replace(/\s+/gu, ' ');

/** In lower case, without lead-in and without marks at the ends. */
export const plain = (text: string): string =>
  lower(text)
    .replace(/^[^\p{L}\p{N}]{1,20}|[^\p{L}\p{N})]{1,20}$/gu, '')
    .replace(/^\d{1,2}[.)] /u, '')
    .replace(leadIn, '');

const rowFor = (said: string) => rows.find(({ longest, says }) => said.length <= longest && says.test(said));

/** Null for a reply that counts as the answer. */
export function notAnAnswer(
  reply: string,
  requirement: Pick<Requirement, 'kind' | 'hint' | 'optional'> | null,
): Reason | null {
  const said = plain(reply);
  if (said === '') return /\p{So}/u.test(reply) ? null : 'explain';
  if (sentencesOf(reply).every(isQuestion)) return 'asks';
  if (/^(?:no|nope|none|nothing)$/u.test(said))
    return requirement?.hint.includes('"none"') ? null : requirement?.optional ? 'none' : 'refuses';
  const reason = rowFor(said)?.reason;
  if (reason) return reason === 'unknown' ? 'declines' : reason;
  return requirement && isTooLong(requirement.kind, reply) ? 'long' : null;
}

/** Without sentences like "Hello." and "No idea, you decide.", unless there are no others. */
export function withoutNonAnswers(text: string): string {
  const isNone = (part: string) => ['declines', 'greets', 'orders'].includes(notAnAnswer(part, null) ?? '');
  return withoutSentences(text, sentencesOf(text).filter(isNone)) || text;
}

/** A text behind a label. "TBD", "n/a", "?", "not sure, ask our lawyer" and "<audience>" do not answer. */
export const isAnswer = (text: string): boolean =>
  /[\p{L}\p{N}\p{So}\p{Sc}]/u.test(text) &&
  !/^(?:<[^<>]{0,80}>?|\{\{[^{}]{0,80})$/u.test(text) &&
  !text.split(/, | - | – |; /u).every((part) => saysNothing(plain(part)));

const saysNothing = (said: string): boolean =>
  rowFor(said)?.reason === 'unknown' || (said.length <= 80 && blank.test(said));

/** Whether a sentence is a question or leaves something open. "800 words, maybe?" does neither. */
export const isOpen = (text: string): boolean =>
  leftOpen.test(lower(text)) || (text.endsWith('?') && question.test(lower(text)));

/** A sentence is no name: "We are a charity." */
export const isSentence = (reply: string): boolean => sentence.test(plain(reply));

/** A reply that may be the answer and may be something else, such as a list. It becomes a suggestion. */
export const isDoubtful = (reply: string): boolean =>
  /^\s{0,9}\d{1,2}[.)]\s/u.test(reply) || doubtful.test(plain(reply));
