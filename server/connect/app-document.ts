import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { redirectsFault } from './redirect-rules.ts';

/** What is read of a client id metadata document. An app that would prove itself by a key is refused. */
const Document = Type.Object({
  client_id: Type.String(),
  client_name: Type.Optional(Type.String({ maxLength: 200 })),
  redirect_uris: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.Optional(Type.Literal('none')),
});
export type Document = Static<typeof Document>;

/** Null for an address without a document that fits. */
export type FetchDocument = (clientId: string) => Promise<Document | null>;

export const fitDocument = (clientId: string, value: unknown): Document | null =>
  Value.Check(Document, value) && value.client_id === clientId && redirectsFault(value.redirect_uris) === null
    ? value
    : null;
