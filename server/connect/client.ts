import type { Db, Trx } from '../db/pool.ts';
import { claimedName } from './metadata-documents.ts';

/** The name that an app claims. Null for an app that is not known. */
export async function findClientName(db: Db | Trx, clientId: string): Promise<string | null> {
  const client = await db
    .selectFrom('oauth_clients')
    .select('name')
    .where('client_id', '=', clientId)
    .where('disabled', '=', false)
    .executeTakeFirst();
  return client ? claimedName(client.name, 'An app without a name') : null;
}
