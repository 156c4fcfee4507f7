import type { readCatalog as endpoint } from '../../contract/ordering/catalog.ts';
import { isMatch } from '../http/prepared.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Catalog, refuseUnknownFamily } from './catalog.ts';

/** 304 for a reader that has this version (`If-None-Match`: RFC 9110 13.1.2, weak comparison). */
export function readCatalog(
  { catalog }: { catalog: Catalog },
  {
    headers: requestHeaders,
    query: { service_family, form, retired },
  }: Pick<Request<typeof endpoint>, 'headers' | 'query'>,
): AnswerOf<typeof endpoint> {
  refuseUnknownFamily(catalog, service_family);
  const headers = { etag: catalog.etag, 'cache-control': 'public, max-age=60' };
  if (isMatch(catalog.etag, requestHeaders['if-none-match'])) return { status: 304, body: undefined, headers };
  const isAsked = ({ id }: { id: string }) => service_family === undefined || id === service_family;
  // These are frozen, so that their bytes are made once.
  if (service_family === undefined && retired !== 'include')
    return { status: 200, body: form === 'index' ? catalog.index : catalog.view, headers };
  const isIncluded = retired === 'include' || (service_family !== undefined && !catalog.families.has(service_family));
  const retiredOnes = isIncluded ? { retired_families: catalog.retiredFamilies.filter(isAsked) } : {};
  if (service_family === undefined && form === 'index')
    return { status: 200, body: { ...catalog.index, ...retiredOnes }, headers };
  const service_families = catalog.view.service_families.filter(isAsked);
  return { status: 200, body: { ...catalog.view, service_families, ...retiredOnes }, headers };
}
