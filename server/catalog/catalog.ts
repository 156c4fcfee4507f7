import type { Static } from 'typebox';
import type { Catalog as CatalogView, PlanView, ServiceOption } from '../../contract/catalog.ts';
import { Refusal } from '../http/refusal.ts';

export type Option = Static<typeof ServiceOption>;

export type Requirement = {
  label: string;
  hint: string;
  example: string;
  /** How an intake conversation asks for it. */
  question: string;
  /** Other words for the label, as customers write them. */
  also_called: string[];
  /** An intake conversation may leave it open; the intent check still reports it as missing. */
  optional: boolean;
};

export type Family = {
  id: string;
  name: string;
  description: string;
  options: Option[];
  intake_requirements: Requirement[];
  quality_signals: string[];
};

export type Plan = Omit<PlanView, 'checkout_available'>;

/** What is sold, as the files in `catalog/` said at the start of this process. */
export type Catalog = {
  families: ReadonlyMap<string, Family>;
  plans: ReadonlyMap<string, Plan>;
  /** The answer of `GET /api/v1/catalog` and its strong ETag. */
  view: Static<typeof CatalogView>;
  etag: string;
};

// The id that was asked for is not repeated: whatever was put there by mistake stays out of messages and logs.
const unknown = (field: 'service_family' | 'service_type', known: Iterable<string>): Refusal => {
  const message = `${field} is not in the catalog. Known ids: ${[...known].join(', ')}.`;
  return new Refusal('unsupported_service', { message, details: [{ location: `/${field}`, message }] });
};

/** Why a draft names nothing that is sold. */
export const findFamily = (catalog: Catalog, familyId: string): Family | Refusal =>
  catalog.families.get(familyId) ?? unknown('service_family', catalog.families.keys());

export function findService(
  catalog: Catalog,
  familyId: string,
  typeId: string,
): { family: Family; option: Option } | Refusal {
  const family = findFamily(catalog, familyId);
  if (family instanceof Refusal) return family;
  const option = family.options.find(({ id }) => id === typeId);
  return option
    ? { family, option }
    : unknown(
        'service_type',
        family.options.map(({ id }) => id),
      );
}

export const findPlan = (catalog: Catalog, code: string): Plan | undefined => catalog.plans.get(code);

/** The price of a plan as people read it. */
export function priceText({ price }: Plan): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: price.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(price.unit_amount / 10 ** digits)} per ${price.interval}`;
}
