import { badRequest } from '../http/refusal.ts';
import type { Catalog } from './catalog.ts';

/** A filter by a family that the catalog does not have is a mistake, not an empty list. */
export function refuseUnknownFamily({ families }: Catalog, family: string | undefined): void {
  if (family === undefined || families.has(family)) return;
  throw badRequest('service_family', `is not in the catalog. Known ids: ${[...families.keys()].join(', ')}`);
}
