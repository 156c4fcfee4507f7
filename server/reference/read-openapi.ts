import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readOpenapi as endpoint } from '../../contract/openapi.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { encodingFor, etagOf, isMatch, type Prepared, prepare } from '../http/prepared.ts';
import { Refusal } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { oneOperation, type OpenapiDocument } from './one-operation.ts';

export type Openapi = { readonly document: OpenapiDocument; readonly prepared: Prepared };

/** Only the name of the studio changes it: for each name it is made, and compressed, for its first reader. */
export function createOpenapi(
  documentOf: (title: string) => Record<string, unknown>,
  catalog: Pick<Catalog, 'studio'>,
): Openapi {
  const make = (title: string) => {
    const document = documentOf(title) as OpenapiDocument;
    let prepared: Prepared | null = null;
    return { title, document, prepare: () => (prepared ??= prepare(JSON.stringify(document))) };
  };
  let made: ReturnType<typeof make> | null = null;
  const current = () => (made?.title === catalog.studio.name ? made : (made = make(catalog.studio.name)));
  return {
    get document() {
      return current().document;
    },
    get prepared() {
      return current().prepare();
    },
  };
}

const common = {
  'cache-control': 'public, max-age=60',
  'content-type': 'application/json; charset=utf-8',
  vary: 'accept-encoding',
};

/** The whole document, or one operation of it; 304 for a reader that has it. */
export function readOpenapi(
  { openapi }: { openapi: Openapi },
  { headers, query }: Pick<Request<typeof endpoint>, 'headers' | 'query'>,
): AnswerOf<typeof endpoint> {
  const { etag, body, encoding } =
    query.operation === undefined ? whole(openapi, headers) : part(openapi, query.operation);
  if (isMatch(etag, headers['if-none-match'])) return { status: 304, body: undefined, headers: { ...common, etag } };
  return { status: 200, body, headers: { ...common, etag, ...(encoding ? { 'content-encoding': encoding } : {}) } };
}

type Representation = { etag: string; body: Buffer; encoding?: string };

function whole({ prepared }: Openapi, headers: Request<typeof endpoint>['headers']): Representation {
  const encoding = encodingFor(headers);
  const { etag, [encoding]: body } = prepared;
  return encoding === 'identity' ? { etag, body } : { etag, body, encoding };
}

/** An operation is about 10 kB, so compressing it for one reader is not worth the time. */
function part({ document }: Openapi, operationId: string): Representation {
  const operation = oneOperation(document, operationId);
  if (!operation) throw new Refusal('operation_not_found');
  const text = JSON.stringify(operation);
  return { etag: etagOf(text), body: Buffer.from(text) };
}
