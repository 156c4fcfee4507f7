import { faultOf } from '../../contract/ordering/fits-kind.ts';
import { findFacts } from '../brand/brand.ts';
import { type Family, requirementsOf } from '../catalog/catalog.ts';
import type { Db, Trx } from '../db/pool.ts';
import { type Draft, fieldOf, suggestionsOf, takesBrand, withField, withSuggestion } from './draft.ts';

/** Suggests facts of the brand kit for the fields that nothing else answers. */
export async function fromBrand(db: Db | Trx, accountId: string, family: Family, draft: Draft): Promise<Draft> {
  if (!takesBrand(draft))
    return suggestionsOf(family, draft)
      .filter(({ by }) => by === 'brand')
      .reduce((left, { requirement }) => withField(left, requirement, { suggestion: null }), draft);
  const empty = requirementsOf(family, draft.service_type).filter(({ label, brand }) => {
    const { answer, suggestion, open } = fieldOf(draft, label);
    return brand !== null && !answer && !suggestion && !open;
  });
  const facts = empty.length === 0 ? [] : await findFacts(db, accountId);
  return empty.reduce((suggested, requirement) => {
    const fact = facts.find(({ label }) => label.toLowerCase() === requirement.brand?.toLowerCase());
    if (!fact || faultOf(requirement, fact.text)) return suggested;
    const { text } = fact;
    return withSuggestion(suggested, { requirement: requirement.label, answer: text, span: text, by: 'brand' });
  }, draft);
}
