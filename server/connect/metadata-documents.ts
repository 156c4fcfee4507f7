import type { ClientDiscovery } from '@better-auth/oauth-provider';
import { Value } from 'typebox/value';
import Type, { type Static } from 'typebox';
import { Name } from '../../contract/shapes.ts';

const cachedFor = 24 * 3600 * 1000;

/** What is read of a client id metadata document. An app that would prove itself by a key is refused. */
const Document = Type.Object({
  client_id: Type.String(),
  client_name: Type.Optional(Type.String({ maxLength: 200 })),
  redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: 20 }),
  token_endpoint_auth_method: Type.Optional(Type.Literal('none')),
});
export type Document = Static<typeof Document>;

/** Null for an address without a document that fits. */
export type FetchDocument = (clientId: string) => Promise<Document | null>;

/** An address with a path, written as a browser would write it. */
const isDocumentAddress = (clientId: string): boolean => {
  if (clientId.length > 500 || !/^https?:\/\//.test(clientId) || !URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  return url.href === clientId && url.pathname !== '/' && url.search === '' && !clientId.includes('#');
};

/** The name that an app claims, or its host where that is no name. */
export const claimedName = (name: unknown, otherwise: string): string => {
  const trimmed = typeof name === 'string' ? name.trim() : '';
  return Value.Check(Name(''), trimmed) ? trimmed : otherwise;
};

export const fitDocument = (clientId: string, value: unknown): Document | null =>
  Value.Check(Document, value) && value.client_id === clientId ? value : null;

/** Apps that are known by the address of their metadata document, which is read at most once a day. */
export const metadataDocuments = (fetchDocument: FetchDocument | null): ClientDiscovery => ({
  id: 'metadata-document',
  matches: isDocumentAddress,
  async resolve(ctx, clientId, existing) {
    const readAt = existing?.updatedAt ? new Date(existing.updatedAt).getTime() : 0;
    if (existing && (fetchDocument === null || Date.now() - readAt < cachedFor)) return existing;
    const document = fetchDocument && (await fetchDocument(clientId));
    const options = ctx.context.getPlugin('oauth-provider')?.options;
    if (!document || !options) return null;
    const { registerClientMetadataDocument } = await import('@better-auth/oauth-provider/internal');
    const { client } = await registerClientMetadataDocument(ctx, options, {
      clientId,
      clientDiscoveryId: 'metadata-document',
      ...(existing ? { existingClient: existing } : {}),
      metadata: {
        client_id: clientId,
        client_name: claimedName(document.client_name, new URL(clientId).host),
        redirect_uris: document.redirect_uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    });
    return client;
  },
});
