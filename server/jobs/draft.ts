import type { Draft } from '../../contract/jobs/new-job.ts';
import { pointerPart, Refusal } from '../http/refusal.ts';
import { type Catalog, type Family, findService, type Option } from '../catalog/catalog.ts';
import type { CallerKind } from '../http/caller.ts';
import type { PlanNeed } from '../entitlements/entitlement.ts';
import { unsafe } from '../safety/policy.ts';

export type CheckedDraft = {
  family: Family;
  option: Option;
  title: string;
  instructions: string;
  reference: string | null;
  metadata: Record<string, string>;
  wantedBy: string | null;
};

/** Shared by create, preflight and the intent check: `unsupported_service`, then `unsafe_request`. */
export function checkDraft(catalog: Catalog, draft: Draft): CheckedDraft {
  const service = findService(catalog, draft.service_family, draft.service_type);
  if (service instanceof Refusal) throw service;
  const title = draft.customer_title.trim();
  const instructions = draft.customer_instructions;
  const { reference = null, metadata = {}, wanted_by: wantedBy = null } = draft;
  const refusal = unsafe([
    ['/customer_title', title],
    ['/customer_instructions', instructions],
    ...ownTexts({ reference, metadata }),
  ]);
  if (refusal) throw refusal;
  return { ...service, title, instructions, reference, metadata, wantedBy };
}

export const needOf = ({ family, option }: Pick<CheckedDraft, 'family' | 'option'>, kind: CallerKind): PlanNeed => ({
  purpose: `${family.id}.${option.id}`,
  kind,
});

type Text = [location: string, text: string];

export const ownTexts = ({ reference, metadata }: Pick<CheckedDraft, 'reference' | 'metadata'>): Text[] => [
  ...(reference === null ? [] : [['/reference', reference] satisfies Text]),
  ...Object.entries(metadata).flatMap(metadataTexts),
];

/** An unsafe key is never named as the location of its value. */
function metadataTexts([key, value]: [string, string]): Text[] {
  const location = unsafe([['/metadata', key]]) ? '/metadata' : `/metadata/${pointerPart(key)}`;
  return [
    ['/metadata', key],
    [location, value],
  ];
}
