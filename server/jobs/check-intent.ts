import type { checkIntent as endpoint } from '../../contract/ordering/catalog.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Catalog, type Family, withoutOptional } from '../catalog/catalog.ts';
import { checkDraft } from './draft.ts';
import { missingRequirements } from '../requirements/find-suggestions.ts';

export function checkIntent(
  { catalog }: { catalog: Catalog },
  { body }: Request<typeof endpoint>,
): AnswerOf<typeof endpoint> {
  const { family, option, instructions } = checkDraft(catalog, body);
  const missing = missingRequirements(family, instructions, option.id);
  return { status: 200, body: { intent_check: showIntentCheck(family, missing) } };
}

export const showIntentCheck = (family: Family, missing: string[]) => ({
  ready: withoutOptional(family, missing).length === 0,
  missing_intake_requirements: missing,
  quality_signals: family.quality_signals,
});
