import type { Static } from 'typebox';
import type { Catalog as CatalogView, PlanView, ServiceOption } from '../../contract/catalog.ts';
import { Refusal } from '../http/refusal.ts';

export type Option = Static<typeof ServiceOption>;

export type Requirement = {
  label: string;
  hint: string;
  example: string;
  /** How an intake conversation asks for this requirement. */
  question: string;
  /** Other words that customers use for the label. */
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

export type Plan = Omit<PlanView, 'plan_code' | 'checkout_available'> & { code: string };

/** A type of uploads that this installation takes besides the common ones. */
export type FileType = {
  extensions: string[];
  /** How its files may begin: bytes, and null for any byte. Empty if they may begin with anything. */
  beginnings: (number | null)[][];
};

/** What is sold, as read from the files in `catalog/` at startup. */
export type Catalog = {
  families: ReadonlyMap<string, Family>;
  plans: ReadonlyMap<string, Plan>;
  /** The types of `file-types.yaml` by media type. */
  fileTypes: ReadonlyMap<string, FileType>;
  /** The body of `GET /api/v1/catalog` and its strong ETag. */
  view: Static<typeof CatalogView>;
  etag: string;
};

// The submitted id is not repeated: text sent by mistake stays out of messages and logs.
const unsupported = (field: 'service_family' | 'service_type', ids: Iterable<string>): Refusal => {
  const message = `${field} is not in the catalog. Known ids: ${[...ids].join(', ')}.`;
  return new Refusal('unsupported_service', { message, details: [{ location: `/${field}`, message }] });
};

export const findFamily = (catalog: Catalog, familyId: string): Family | Refusal =>
  catalog.families.get(familyId) ?? unsupported('service_family', catalog.families.keys());

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
    : unsupported(
        'service_type',
        family.options.map(({ id }) => id),
      );
}

export const findPlan = (catalog: Catalog, code: string): Plan | undefined => catalog.plans.get(code);

export function priceText({ price }: Plan): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: price.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(price.unit_amount / 10 ** digits)} per ${price.interval}`;
}
