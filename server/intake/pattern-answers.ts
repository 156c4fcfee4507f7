import { isOpen } from '../catalog/answer.ts';
import type { Family, Requirement } from '../catalog/catalog.ts';
import { prose } from '../catalog/prose.ts';
import type { Heard } from './heard.ts';
import type { Said } from './phrases.ts';
import { asAnswer, isAsked, type Talk } from './talk.ts';

/** Where in a sentence the catalog's patterns find an answer, if the sentence neither asks nor puts off. */
function patternAt({ answered_by }: Requirement, sentence: string): number | null {
  if (!answered_by || isOpen(sentence)) return null;
  answered_by.lastIndex = 0;
  return answered_by.exec(prose(sentence).lower)?.index ?? null;
}

export const wordsBefore = (sentence: string, index: number): number =>
  sentence.slice(0, index).split(' ').filter(Boolean).length;

/** The clause around a match: "…for our app, aimed at students" answers with "aimed at students". */
function clauseFrom(sentence: string, index: number): string {
  const before = sentence.slice(0, index);
  const preposition = /\b(?:in|on|at|for|with|of|to|by|from) (?:an? |the |our )?$/iu.exec(before);
  if (preposition && wordsBefore(sentence.slice(index), Infinity) <= 6) return sentence.slice(preposition.index);
  const cut = Math.max(...[', ', ': ', '; '].map((mark) => before.lastIndexOf(mark)));
  return sentence.slice(cut < 0 ? 0 : cut + 2);
}

const framing =
  /^(?:make (?:it|that|them|this)|let's (?:say|make it)|i(?:'d| would) say|it(?:'s| is| should be| must be)|that(?:'s| is| would be| should be)|they(?:'re| are)) /iu;

/**
 * Takes the answers that the catalog's patterns find in a sentence; true when it begins with one, and so is about that.
 * What is known already changes only where the customer corrects or adds, or where nothing else was asked.
 */
export function takePatterns(family: Family, talk: Talk, { core, corrects, adds }: Said, heard: Heard): boolean {
  let about = false;
  for (const requirement of family.intake_requirements) {
    const { label } = requirement;
    const index = isAsked(talk, label) && !corrects ? null : patternAt(requirement, core);
    if (index === null) continue;
    const known = talk.answers[label] !== undefined;
    const early = wordsBefore(core, index) <= 3;
    if (known && !(early && (corrects || adds || talk.asked === null))) continue;
    const answer = asAnswer(early ? core.replace(corrects ? framing : '', '') : clauseFrom(core, index));
    if (answer === null) continue;
    (early ? heard.answers : heard.overheard).push({ label, answer, adds: adds && known });
    about ||= early;
  }
  return about;
}
