import type { readCatalog as endpoint } from '../../contract/catalog.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { isMatch } from '../http/prepared.ts';
import type { Request } from '../http/request.ts';
import type { Catalog } from './catalog.ts';

/** 304 for a reader that has this version (`If-None-Match`: RFC 9110 13.1.2, weak comparison). */
export function readCatalog(
  { catalog }: { catalog: Catalog },
  { headers: requestHeaders }: Pick<Request<typeof endpoint>, 'headers'>,
): AnswerOf<typeof endpoint> {
  const headers = { etag: catalog.etag, 'cache-control': 'public, max-age=60' };
  return isMatch(catalog.etag, requestHeaders['if-none-match'])
    ? { status: 304, body: undefined, headers }
    : { status: 200, body: catalog.view, headers };
}
