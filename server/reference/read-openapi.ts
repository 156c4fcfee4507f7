import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readOpenapi as endpoint } from '../../contract/openapi.ts';
import { encodingFor, etagOf, isMatch, type Prepared, prepare } from '../http/prepared.ts';
import { Refusal } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { oneOperation, type OpenapiDocument } from './one-operation.ts';

export type Openapi = { document: OpenapiDocument; prepared: Prepared };

/** The document does not change while the process runs, so it is serialized and compressed once. */
export const prepareOpenapi = (document: Record<string, unknown>): Openapi => ({
  document: document as OpenapiDocument,
  prepared: prepare(JSON.stringify(document)),
});

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
