import type { Static } from 'typebox';
import type {
  Catalog as CatalogView,
  PlanView,
  RequirementKind,
  ServiceOption,
} from '../../contract/ordering/catalog.ts';
import { inUnits } from '../../contract/plans/smallest-unit.ts';
import type { BusinessHours } from '../../contract/studio/business-time.ts';
import type { Studio } from '../../contract/studio/studio.ts';
import { badRequest, Refusal } from '../http/refusal.ts';
import type { BytePattern } from '../lib/byte-pattern.ts';

export type Option = Static<typeof ServiceOption> & {
  /** Whether only business hours count until its deliveries. */
  business_time: boolean;
  /** What makers check before they submit. */
  checklist: readonly string[];
};

export type Requirement = {
  label: string;
  hint: string;
  example: string;
  /** How an intake conversation asks for this requirement. */
  question: string;
  /** Other words that customers use for the label. */
  also_called: string[];
  /** It is reported as missing, and no draft or brief waits for it. */
  optional: boolean;
  kind: RequirementKind;
  /** The label of the fact in a brand kit that is suggested as its answer. */
  brand: string | null;
  /** The answers of a `choice`; empty for other kinds. */
  choices: string[];
  /** Ids of the options it applies to. */
  options: ReadonlySet<string>;
};

export type Family = {
  id: string;
  name: string;
  description: string;
  options: Option[];
  intake_requirements: Requirement[];
  quality_signals: string[];
};

export type Plan = Omit<PlanView, 'plan_code' | 'checkout_available'> & {
  code: string;
  /** No longer sold. Accounts that have it keep it, and it renews. */
  retired: boolean;
};

/** A type of uploads that this installation takes besides the common ones. */
export type FileType = {
  extensions: string[];
  /** Other names that programs send for this type. */
  aliases: string[];
  /** How its files may begin: bytes, and null for any byte. Empty if they may begin with anything. */
  beginnings: BytePattern[];
};

/** A sample of the work of an option, or a mark of the studio. */
export type Picture = { contentType: string; bytes: Buffer };

/** What is sold: a published version. */
export type Catalog = {
  /** What is offered. */
  families: ReadonlyMap<string, Family>;
  /** With what was retired: names and questions of earlier orders. */
  everyFamily: ReadonlyMap<string, Family>;
  /** Families, and options as `family/option`, that are no longer offered. */
  retired: ReadonlySet<string>;
  plans: ReadonlyMap<string, Plan>;
  /** The types of `file-types.yaml` by media type. */
  fileTypes: ReadonlyMap<string, FileType>;
  /** By path. A path has a hash of the picture, so what it names never changes. */
  pictures: ReadonlyMap<string, Picture>;
  /** Read it where it is used: it changes with each published version. */
  studio: Studio;
  /** When the studio works; null if all hours count. */
  businessHours: BusinessHours | null;
  lacksTimeZone: boolean;
  /** The body of `GET /api/v1/catalog`, what `retired=include` adds, the index, and their strong ETag. */
  view: Static<typeof CatalogView>;
  retiredFamilies: Static<typeof CatalogView>['service_families'];
  index: Static<typeof CatalogView>;
  etag: string;
};

// The submitted id is not repeated: text sent by mistake stays out of messages and logs.
function unsupported(field: 'service_family' | 'service_type', ids: Iterable<string>, isRetired: boolean): Refusal {
  const message = `${field} is ${isRetired ? 'no longer offered' : 'not in the catalog'}. Known ids: ${[...ids].join(', ')}.`;
  return new Refusal('unsupported_service', { message, details: [{ location: `/${field}`, message }] });
}

export const findFamily = ({ families, retired }: Catalog, familyId: string): Family | Refusal =>
  families.get(familyId) ?? unsupported('service_family', families.keys(), retired.has(familyId));

export function findService(
  catalog: Catalog,
  familyId: string,
  typeId: string,
): { family: Family; option: Option } | Refusal {
  const family = findFamily(catalog, familyId);
  if (family instanceof Refusal) return family;
  const option = family.options.find(({ id }) => id === typeId);
  const ids = family.options.map(({ id }) => id);
  return option ? { family, option } : unsupported('service_type', ids, catalog.retired.has(`${familyId}/${typeId}`));
}

/** The family. Throws if it, or the option that is named, is not sold. */
export function offeredFamily(catalog: Catalog, familyId: string, optionId: string | null | undefined): Family {
  const service = optionId ? findService(catalog, familyId, optionId) : findFamily(catalog, familyId);
  if (service instanceof Refusal) throw service;
  return 'family' in service ? service.family : service;
}

/** What keeps a draft or a brief from being ready: an optional requirement never does. */
export const withoutOptional = ({ intake_requirements }: Family, labels: string[]): string[] =>
  labels.filter((label) => !intake_requirements.some((other) => other.label === label && other.optional));

/** The requirements that apply to an option; all of the family while the option is open. */
export const requirementsOf = (family: Family, serviceType: string | null): Requirement[] =>
  family.intake_requirements.filter(({ options }) => serviceType === null || options.has(serviceType));

export const offeredPlans = ({ plans }: Pick<Catalog, 'plans'>): Plan[] =>
  [...plans.values()].filter(({ retired }) => !retired);

export function priceText({ price }: Plan): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: price.currency });
  return `${format.format(inUnits(price.unit_amount, format))} per ${price.interval}`;
}

/** A filter by a family that the catalog does not have is a mistake, not an empty list. */
export function refuseUnknownFamily({ families, retired }: Catalog, family: string | undefined): void {
  if (family === undefined || families.has(family) || retired.has(family)) return;
  throw badRequest('service_family', `is not in the catalog. Known ids: ${[...families.keys()].join(', ')}`);
}

/** For the `service_families` of a body. */
export function refuseUnknownFamilies({ families, retired }: Catalog, chosen: readonly string[]): void {
  const unknown = chosen.findIndex((id) => !families.has(id) && !retired.has(id));
  if (unknown === -1) return;
  const message = `is not in the catalog. Known ids: ${[...families.keys()].join(', ')}.`;
  const location = `/service_families/${unknown}`;
  throw new Refusal('unsupported_service', { message: `${location} ${message}`, details: [{ location, message }] });
}
