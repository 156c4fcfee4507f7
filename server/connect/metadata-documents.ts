import type { ClientDiscovery } from '@better-auth/oauth-provider';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import type { FetchDocument } from './app-document.ts';
import { claimedName, clientRow } from './client.ts';

const day = 24 * 3600 * 1000;
const cachedFor = day;
/** How long an app is known whose document can no longer be read. */
const knownFor = 7 * day;
const discoveryId = 'metadata-document';

/** An address with a path, written as a browser would write it. */
const isDocumentAddress = (clientId: string): boolean => {
  if (clientId.length > 500 || !/^https?:\/\//.test(clientId) || !URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  return url.href === clientId && url.pathname !== '/' && url.search === '' && !clientId.includes('#');
};

/** Apps that are known by the address of their metadata document, which is read at most once a day. */
export const metadataDocuments = (db: Db | Trx, fetchDocument: FetchDocument | null): ClientDiscovery => ({
  id: discoveryId,
  matches: isDocumentAddress,
  async resolve({ context: { adapter } }, clientId, existing) {
    const age = Date.now() - (existing?.updatedAt ? new Date(existing.updatedAt).getTime() : 0);
    if (existing && (fetchDocument === null || age < cachedFor)) return existing;
    const document = fetchDocument && (await fetchDocument(clientId));
    if (document === 'unreachable') return existing && age < knownFor ? existing : null;
    if (!document) return null;
    const name = claimedName(document.client_name, new URL(clientId).host);
    const row = {
      ...clientRow({ clientId, name, redirects: document.redirect_uris }),
      client_discovery_id: discoveryId,
      updated_at: sql<Date>`now()`,
    };
    await db
      .insertInto('oauth_clients')
      .values(row)
      .onConflict((conflict) => conflict.column('client_id').doUpdateSet(row))
      .execute();
    return adapter.findOne({ model: 'oauthClient', where: [{ field: 'clientId', value: clientId }] });
  },
});
