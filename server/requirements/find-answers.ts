import type { Family } from '../catalog/catalog.ts';
import { findLabelled } from './labels.ts';
import { clauseEnd, findSentence, normalise } from './normalise.ts';
import { patternsFor } from './patterns.ts';
import { isOpen } from './undecided.ts';

export type Answer = { requirement: string; answer: string };

/** In catalog order: after a label or heading, else in a sentence that matches a pattern. */
export function findAnswers(family: Family, message: string): Answer[] {
  const normalised = normalise(message);
  const answers = new Map<string, string>();
  const undecided = new Set<string>();
  for (const { label, answer } of findLabelled(family, normalised)) {
    if (answer && !answers.has(label)) answers.set(label, answer);
    if (!answer) undecided.add(label);
  }
  const patterns = patternsFor(family);
  const counts = (sentence: string) => !isOpen(sentence);
  return family.intake_requirements.flatMap(({ label }) => {
    // A requirement that is "to be decided" is not guessed from other text.
    const sources = answers.has(label) || undecided.has(label) ? [] : (patterns.get(label) ?? []);
    const answer =
      answers.get(label) ?? firstSentence(sources, (source) => findSentence(normalised, source, counts, clauseEnd));
    return answer ? [{ requirement: label, answer }] : [];
  });
}

function firstSentence(patterns: RegExp[], find: (pattern: RegExp) => string | null): string | null {
  for (const pattern of patterns) {
    const sentence = find(pattern);
    if (sentence) return sentence;
  }
  return null;
}

export function missingRequirements(family: Family, instructions: string): string[] {
  const answered = new Set(findAnswers(family, instructions).map(({ requirement }) => requirement));
  return family.intake_requirements.map(({ label }) => label).filter((label) => !answered.has(label));
}
