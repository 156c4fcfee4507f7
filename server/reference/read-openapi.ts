import type { Audience } from '../../contract/document/audiences.ts';
import { openapi, type readOpenapi as endpoint } from '../../contract/openapi.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { version } from '../lib/version.ts';
import { encodingFor, etagOf, isMatch, type Prepared, prepare } from '../http/prepared.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { oneOperation, type OpenapiDocument } from './one-operation.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerExamples } from '../../contract/document/responses.ts';
import { server } from '../lib/places.ts';

export type Openapi = { readonly document: OpenapiDocument; prepared(audience?: Audience): Prepared };

/** What was made with a name of the studio. */
type Made = { title: string; whole: OpenapiDocument | null; texts: Map<Audience | undefined, Prepared> };

/** Only the name of the studio changes it: for each name it is made, and compressed, for its first reader. */
export function createOpenapi(publicUrl: string, catalog: Pick<Catalog, 'studio'>): Openapi {
  let made: Made | null = null;
  const current = (): Made => {
    const title = catalog.studio.name;
    if (made?.title !== title) made = { title, whole: null, texts: new Map() };
    return made;
  };
  return {
    get document() {
      return wholeOf(current(), publicUrl);
    },
    prepared: (audience) => preparedOf(current(), publicUrl, audience),
  };
}

function wholeOf(made: Made, publicUrl: string): OpenapiDocument {
  made.whole ??= openapi(publicUrl, {
    title: made.title,
    release: version,
    examples: readAnswerExamples(publicUrl),
  }) as OpenapiDocument;
  return made.whole;
}

function preparedOf(made: Made, publicUrl: string, audience: Audience | undefined): Prepared {
  let prepared = made.texts.get(audience);
  if (prepared) return prepared;
  const terms = { title: made.title, release: version, audience };
  const document = audience ? openapi(publicUrl, terms) : wholeOf(made, publicUrl);
  prepared = prepare(JSON.stringify(document));
  made.texts.set(audience, prepared);
  return prepared;
}

const common = {
  'cache-control': 'public, max-age=60',
  'content-type': 'application/json; charset=utf-8',
  vary: 'accept-encoding',
};

/** The document, whole or for an audience, or one operation of it; 304 for a reader that has it. */
export function readOpenapi(
  { openapi }: { openapi: Openapi },
  { headers, query }: Pick<Request<typeof endpoint>, 'headers' | 'query'>,
): AnswerOf<typeof endpoint> {
  const { etag, body, encoding } =
    query.operation === undefined ? whole(openapi, query.audience, headers) : part(openapi, query.operation);
  if (isMatch(etag, headers['if-none-match'])) return { status: 304, body: undefined, headers: { ...common, etag } };
  return { status: 200, body, headers: { ...common, etag, ...(encoding ? { 'content-encoding': encoding } : {}) } };
}

type Representation = { etag: string; body: Buffer; encoding?: string };

function whole(
  openapi: Openapi,
  audience: Audience | undefined,
  headers: Request<typeof endpoint>['headers'],
): Representation {
  const encoding = encodingFor(headers);
  const { etag, [encoding]: body } = openapi.prepared(audience);
  return encoding === 'identity' ? { etag, body } : { etag, body, encoding };
}

/** An operation is about 10 kB, so compressing it for one reader is not worth the time. */
function part({ document }: Openapi, operationId: string): Representation {
  const operation = oneOperation(document, operationId);
  if (!operation) throw new Refusal('operation_not_found');
  const text = JSON.stringify(operation);
  return { etag: etagOf(text), body: Buffer.from(text) };
}

/** Recorded by `test/sweeps/answer-examples.test.ts`. Read when the whole document is made. */
export const answerExamplesFile = join(server, 'reference/answer-examples.json');

const readAnswerExamples = (serverUrl: string): AnswerExamples =>
  JSON.parse(readFileSync(answerExamplesFile, 'utf8').replaceAll('{{url}}', serverUrl)) as AnswerExamples;
