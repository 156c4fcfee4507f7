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
export type Reason = Exclude<(typeof reasons)[number], 'unknown'> | 'asks' | 'long';

const texts = Type.Array(Type.String());
const table = readYaml(
  'requirements/is-answer.yaml',
  Type.Object({
    parts: Type.Object({ later: Type.String(), tail: Type.String() }),
    rows: Type.Array(Type.Partial(Type.Record(Type.Enum(reasons), Type.String()))),
    instead: Type.String(),
    blank: texts,
    open: texts,
    asks: texts,
    sentence: Type.String(),
  }),
);
const withParts = (source: string) =>
  source.replaceAll('{later}', table.parts.later).replaceAll('{tail}', table.parts.tail);
const anyOf = (sources: string[], before = '', after = '') =>
  new RegExp(`${before}(?:${sources.map((source) => `(?:${withParts(source)})`).join('|')})${after}`, 'u');

const wordEnd = '(?![\\p{L}\\p{N}])';
const beforeQuestion = '(?:^\\P{L}{0,3}|[,;:–—(-] ?|\\b(?:and|but|so|or|also|then|hi|hello) )';
const rows = table.rows.flatMap((row) =>
  reasons.flatMap((reason) => (row[reason] === undefined ? [] : { reason, says: anyOf([row[reason]]) })),
);
const instead = new RegExp(table.instead, 'iu');
const blank = anyOf(table.blank);
const leftOpen = anyOf(table.open, '(?<![\\p{L}\\p{N}])', wordEnd);
const question = anyOf(table.asks, beforeQuestion, wordEnd);
const sentence = anyOf([table.sentence]);

const leadIn =
  /^(?:(?:sorry|well|um+|uh|hmm+|honestly|oh|please|i'm afraid|i am afraid|to be honest|so|and|but|ok(?=,))[\s,.!…-]{1,3}){1,3}/u;

const lower = (text: string): string => text.toLowerCase().replaceAll('’', "'").replace(/\s+/gu, ' ');

/** In lower case, without lead-in and without marks at the ends. */
export const plain = (text: string): string =>
  lower(text)
    .replace(/^[^\p{L}\p{N}]{1,20}|[^\p{L}\p{N})]{1,20}$/gu, '')
    .replace(/^\d{1,2}[.)] /u, '')
    .replace(leadIn, '');

const longest = (reason: (typeof reasons)[number]) => (reason === 'corrects' ? 400 : 80);
const reasonFor = (said: string) =>
  rows.find(({ reason, says }) => said.length <= longest(reason) && says.test(said))?.reason;

/** Null for a reply that counts as the answer. */
export function notAnAnswer(
  reply: string,
  requirement: Pick<Requirement, 'kind' | 'hint' | 'optional'> | null,
): Reason | null {
  const said = plain(reply);
  if (said === '') return /\p{So}/u.test(reply) ? null : 'explain';
  if (sentencesOf(reply).every(isQuestion)) return 'asks';
  if (/^(?:no|nope|none|nothing)$/u.test(said))
    return requirement?.optional || requirement?.hint.includes('"none"') ? null : 'refuses';
  const reason = reasonFor(said);
  if (reason) return reason === 'unknown' ? 'declines' : reason;
  return requirement && isTooLong(requirement.kind, reply) ? 'long' : null;
}

/** What "no, make it blue" puts in the place of the last answer, or null. */
export const insteadOf = (reply: string): string | null =>
  instead.test(reply) ? reply.replace(instead, '').trim() || null : null;

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

const saysNothing = (said: string): boolean => reasonFor(said) === 'unknown' || (said.length <= 80 && blank.test(said));

/** Whether a sentence is a question or leaves something open. "800 words, maybe?" does neither. */
export const isOpen = (text: string): boolean =>
  leftOpen.test(lower(text)) || (text.endsWith('?') && question.test(lower(text)));

/** A sentence is no name: "We are a charity." */
export const isSentence = (reply: string): boolean => sentence.test(plain(reply));
