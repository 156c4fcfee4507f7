import { badRequest, Refusal } from '../http/refusal.ts';
import type { Catalog } from './catalog.ts';

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
