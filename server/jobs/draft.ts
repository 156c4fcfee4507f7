import type { Draft } from '../../contract/jobs/new-job.ts';
import { fieldOf, optionalNames, type OptionalValues, valuesOf } from '../../contract/jobs/optional-fields.ts';
import { pointerPart, Refusal } from '../http/refusal.ts';
import { type Catalog, type Family, findService, type Option } from '../catalog/catalog.ts';
import type { CallerKind } from '../http/request.ts';
import type { PlanNeed } from '../entitlements/entitlement.ts';
import { unsafe } from '../safety/policy.ts';

export type CheckedDraft = {
  family: Family;
  option: Option;
  title: string;
  instructions: string;
  optional: OptionalValues;
};

/** Shared by create, preflight and the intent check: `unsupported_service`, then `unsafe_request`. */
export function checkDraft(catalog: Catalog, draft: Draft): CheckedDraft {
  const service = findService(catalog, draft.service_family, draft.service_type);
  if (service instanceof Refusal) throw service;
  const title = draft.customer_title.trim();
  const instructions = draft.customer_instructions;
  const optional = valuesOf(optionalNames, draft);
  const refusal = unsafe([['/customer_title', title], ['/customer_instructions', instructions], ...ownTexts(optional)]);
  if (refusal) throw refusal;
  return { ...service, title, instructions, optional };
}

export const needOf = ({ family, option }: Pick<CheckedDraft, 'family' | 'option'>, kind: CallerKind): PlanNeed => ({
  purpose: `${family.id}.${option.id}`,
  kind,
});

type Text = [location: string, text: string];

/** What the customer wrote into optional fields. */
export const ownTexts = (values: { [N in keyof OptionalValues]?: unknown }): Text[] =>
  optionalNames.flatMap((name): Text[] => {
    const { kind } = fieldOf(name);
    if (kind === 'map') return Object.entries(values[name] ?? {}).flatMap((pair) => pairTexts(`/${name}`, pair));
    return kind === 'text' && typeof values[name] === 'string' ? [[`/${name}`, values[name]]] : [];
  });

/** An unsafe key is never named as the location of its value. */
function pairTexts(field: `/${string}`, [key, value]: [string, string]): Text[] {
  const location = unsafe([[field, key]]) ? field : (`${field}/${pointerPart(key)}` as const);
  return [
    [field, key],
    [location, value],
  ];
}
