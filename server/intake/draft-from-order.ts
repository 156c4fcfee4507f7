import { faultOf } from '../../contract/ordering/fits-kind.ts';
import { type ReusedField, reusedNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import { type Family, requirementsOf } from '../catalog/catalog.ts';
import { type Draft, newDraft, withAnswer, withWords } from './draft.ts';

/** A template, or what was ordered before. */
export type EarlierOrder = { [N in ReusedField]?: unknown } & {
  service_family: string;
  service_type: string | null;
  answers: { requirement: string; answer: string }[];
  words: string;
  title?: string | null;
};

/** The catalog may have changed since: an answer that no longer fits goes into the words. */
export function draftFrom(family: Family, order: EarlierOrder): Draft {
  const { service_type, answers, words, title = null } = order;
  const requirements = requirementsOf(family, service_type);
  const start: Draft = {
    ...newDraft(family, service_type),
    words,
    title,
    ...valuesOf(reusedNames, order),
    opened: true,
  };
  return answers.reduce((draft, { requirement: label, answer }) => {
    const requirement = requirements.find((other) => other.label === label);
    return requirement && !faultOf(requirement, answer)
      ? withAnswer(draft, label, answer, 'copied')
      : withWords(draft, `${label}: ${answer}`);
  }, start);
}
