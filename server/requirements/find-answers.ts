import { fitsKind } from '../../contract/ordering/fits-kind.ts';
import { type Family, requirementsOf } from '../catalog/catalog.ts';
import { clauseEnd, findSentence, normalise } from '../lib/sentences.ts';
import { findValues } from './find-suggestions.ts';
import { isOpen } from './is-answer.ts';
import { findLabelled } from './labels.ts';
import { patternsFor } from './patterns.ts';

export type Answer = { requirement: string; answer: string };

/** In catalog order: after a label or heading, else in a sentence that matches a pattern. */
export function findAnswers(family: Family, message: string): Answer[] {
  const normalised = normalise(message);
  const labelled = findLabelled(family, normalised);
  const values = new Map(findValues(family, null, message).map(({ requirement, answer }) => [requirement, answer]));
  const sentenceOf = (pattern: RegExp) => findSentence(normalised, pattern, (text) => !isOpen(text), clauseEnd);
  return family.intake_requirements.flatMap(({ label }) => {
    const behind = labelled.filter((other) => other.label === label);
    // A requirement that is "to be decided" is not guessed from other text.
    const answer =
      behind.length > 0
        ? behind.find((other) => other.answer !== '')?.answer
        : (values.get(label) ?? patternsFor(family).get(label)?.values().map(sentenceOf).find(Boolean));
    return answer ? [{ requirement: label, answer }] : [];
  });
}

/** The requirements of the option that a text does not answer; of the family while the option is open. */
export function missingRequirements(family: Family, instructions: string, serviceType: string | null = null): string[] {
  const answers = new Map(findAnswers(family, instructions).map(({ requirement, answer }) => [requirement, answer]));
  return requirementsOf(family, serviceType)
    .filter((requirement) => !fitsKind(requirement, answers.get(requirement.label)))
    .map(({ label }) => label);
}
