import type { readCatalog as endpoint } from '../../contract/ordering/catalog.ts';
import { isMatch } from '../http/prepared.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Catalog, refuseUnknownFamily } from './catalog.ts';

/** 304 for a reader that has this version (`If-None-Match`: RFC 9110 13.1.2, weak comparison). */
export function readCatalog(
  { catalog }: { catalog: Catalog },
  { headers: requestHeaders, query: { service_family, form } }: Pick<Request<typeof endpoint>, 'headers' | 'query'>,
): AnswerOf<typeof endpoint> {
  refuseUnknownFamily(catalog, service_family);
  const headers = { etag: catalog.etag, 'cache-control': 'public, max-age=60' };
  if (isMatch(catalog.etag, requestHeaders['if-none-match'])) return { status: 304, body: undefined, headers };
  if (service_family === undefined)
    return { status: 200, body: form === 'index' ? catalog.index : catalog.view, headers };
  const service_families = catalog.view.service_families.filter(({ id }) => id === service_family);
  return { status: 200, body: { ...catalog.view, service_families }, headers };
}
