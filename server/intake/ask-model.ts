import { type Family, requirementsOf } from '../catalog/catalog.ts';
import type { Model } from '../model/model.ts';
import type { Finding } from '../requirements/find-suggestions.ts';
import { answersOf, type Draft, missingIn } from './draft.ts';

/** What the model suggests, word for word from the text. It reads nothing of accounts without a plan. */
export async function askModel(
  model: Model | null,
  accountId: string,
  family: Family,
  draft: Draft,
  text: string,
): Promise<Finding[]> {
  if (!model || !(await model.serves(accountId))) return [];
  const requirements = requirementsOf(family, draft.service_type);
  const form = {
    service: { name: family.name, service_type: draft.service_type },
    requirements: requirements.map(({ label, hint, example }) => ({ label, hint, example })),
    known: answersOf(family, draft).map(({ requirement, answer }) => ({ requirement, answer })),
    missing: missingIn(family, draft),
  };
  const answers = await model.find(form, text);
  return answers.map(({ requirement, answer }) => ({ requirement, answer, span: answer, by: 'model' }));
}
