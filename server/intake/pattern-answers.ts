import type { Family, Requirement } from '../catalog/catalog.ts';
import { isOpen } from '../requirements/open.ts';
import { placeOf, prose } from '../requirements/prose.ts';
import type { Heard } from './heard.ts';
import type { Said } from './phrases.ts';
import { asAnswer, isAsked, type Talk } from './talk.ts';

/**
 * Where in a sentence the catalog's patterns find an answer, if the sentence neither asks nor puts off. "Could you draw for
 * children?" orders in a draft; in a talk it may ask, and to ask once more does no harm.
 */
export function patternAt({ answered_by, told_by }: Requirement, sentence: string, loosely = false): number | null {
  if (isOpen(sentence) || sentence.endsWith('?')) return null;
  const places = (loosely ? [...answered_by, ...told_by] : answered_by).flatMap(
    (pattern) => placeOf(prose(sentence), pattern) ?? [],
  );
  return places.length === 0 ? null : Math.min(...places);
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
  /^(?:make (?:it|that|them|this)|let's (?:say|make it)|i(?:'d| would) say|it(?:'s| is| should be| must be)|that(?:'s| is| would be| should be)|they(?:'re| are)|(?:(?:i|we)(?:'d| would)? )?(?:need|want|like)|please (?:write|make|create|design)) /iu;

/**
 * Takes the answers that the catalog's patterns find in a sentence; true when it begins with one and so is about that,
 * and not about what was asked.
 * What is known already changes only where the customer corrects or adds, where it was guessed, or where nothing was asked.
 */
export function takePatterns(family: Family, talk: Talk, { core, corrects, adds }: Said, heard: Heard): boolean {
  // Who begins by telling everything answers no question yet.
  const begins = talk.words.length === 0 && (talk.asked === null || 'option' in talk.asked);
  const found = family.intake_requirements.flatMap((requirement) => {
    const index = patternAt(requirement, core, begins);
    return index === null ? [] : [{ label: requirement.label, index, early: wordsBefore(core, index) <= 3 }];
  });
  const answersAsked = !corrects && found.some(({ label }) => isAsked(talk, label));
  let about = false;
  for (const { label, index, early } of found) {
    if (isAsked(talk, label) && !corrects) continue;
    // The first sentence of a beginning that tells of something is where it is told; what follows elaborates.
    if (begins && [...heard.answers, ...heard.overheard].some((one) => one.label === label)) continue;
    const known = talk.answers[label] !== undefined;
    const changes = early && (corrects || adds || talk.asked === null || talk.guessed.includes(label));
    if (known && !changes) continue;
    const next = Math.min(...found.map((other) => other.index).filter((other) => other > index));
    const clause = upTo(core, index, next);
    const answer = asAnswer(early ? clause.replace(framing, '') : clauseFrom(clause, index));
    if (answer === null) continue;
    (early ? heard.answers : heard.overheard).push({ label, answer, adds: adds && known, guessed: !known });
    about ||= early;
  }
  return about && !answersAsked;
}

/** A sentence up to the comma behind which the next requirement is answered. */
function upTo(sentence: string, index: number, next: number): string {
  const comma = next === Infinity ? -1 : sentence.lastIndexOf(', ', next);
  return comma > index ? sentence.slice(0, comma) : sentence;
}
