import type { Family } from '../catalog/catalog.ts';
import { leftOpenBy } from './left-open.ts';
import { patternAt, wordsBefore } from './pattern-answers.ts';
import { askedOf, isAsked, type Talk } from './talk.ts';

const joint = /(?:[,;] ?(?:and |but )?| and | but )(?=(?:it|this|that|they|these|we|i)(?:['’](?:s|re|d|ll|m|ve))? )/giu;

/** Longer sentences stay whole: so many parts are no answer, and looking through all of them takes time. */
const longest = 400;

/**
 * A sentence in parts where it goes on about something else: "We are called Rise and it is for bakers". A part stands
 * for itself only where the catalog finds another requirement in it than the one that was asked for.
 */
export function clausesOf(family: Family, talk: Talk, sentence: string): string[] {
  if (sentence.length > longest) return [sentence];
  const others = family.intake_requirements.filter(({ label }) => !isAsked(talk, label));
  const isName = /\bname\b/iu.test(askedOf(talk) ?? '');
  const parts: string[] = [];
  let from = 0;
  for (const { 0: cut, index } of sentence.matchAll(joint)) {
    const next = sentence.slice(index + cut.length);
    const end = next.search(joint);
    const part = end < 0 ? next : next.slice(0, end);
    // No name goes on with "and it is for …".
    const speaks =
      isName ||
      leftOpenBy(family, part) !== null ||
      others.some((requirement) => {
        const at = patternAt(requirement, part);
        return at !== null && wordsBefore(part, at) <= 3;
      });
    if (!speaks || index === from) continue;
    parts.push(sentence.slice(from, index));
    from = index + cut.length;
  }
  return [...parts, sentence.slice(from)];
}
