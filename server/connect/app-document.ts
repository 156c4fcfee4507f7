import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { redirectsFault } from './redirect-rules.ts';

/** What is read of a client id metadata document. */
const Document = Type.Object({
  client_id: Type.String(),
  client_name: Type.Optional(Type.String({ maxLength: 200 })),
  redirect_uris: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.Optional(Type.String()),
  token_endpoint_auth_methods_supported: Type.Optional(Type.Array(Type.String())),
});
export type Document = Static<typeof Document>;

/** Null for an address without a document that fits, `unreachable` for one that could not be read now. */
export type ReadDocument = Document | 'unreachable' | null;
export type FetchDocument = (clientId: string) => Promise<ReadDocument>;

/** An app fits if it can authenticate without a secret, even if it prefers a key. */
export const fitDocument = (clientId: string, value: unknown): Document | null =>
  Value.Check(Document, value) &&
  value.client_id === clientId &&
  redirectsFault(value.redirect_uris) === null &&
  methodsOf(value).includes('none')
    ? value
    : null;

function methodsOf(document: Document): string[] {
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods_supported: methods = [] } = document;
  return method === undefined && methods.length === 0
    ? ['none']
    : [...methods, ...(method === undefined ? [] : [method])];
}
