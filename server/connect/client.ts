import { Value } from 'typebox/value';
import { scopes } from '../../contract/developer/keys.ts';
import { Name } from '../../contract/shapes.ts';
import type { Db, Trx } from '../db/pool.ts';
import { refreshScope } from './terms.ts';

/** The name that an app claims, or another text where that is no name. */
export const claimedName = (name: unknown, otherwise: string): string => {
  const trimmed = typeof name === 'string' ? name.trim() : '';
  return Value.Check(Name(''), trimmed) ? trimmed : otherwise;
};

type NewClient = { clientId: string; name: string; redirects: readonly string[] };

/**
 * The row of an app without a secret. `redirectsFault` has checked its redirects. The library is not asked to
 * store it, because it refuses the schemes of native programs.
 */
export const clientRow = ({ clientId, name, redirects }: NewClient) => ({
  client_id: clientId,
  name,
  redirect_uris: JSON.stringify(redirects),
  grant_types: JSON.stringify(['authorization_code', 'refresh_token']),
  response_types: JSON.stringify(['code']),
  scopes: JSON.stringify([...scopes, refreshScope]),
  token_endpoint_auth_method: 'none',
  application_type: redirects.every((redirect) => redirect.startsWith('https://')) ? 'web' : 'native',
});

const activeClient = (db: Db | Trx, clientId: string) =>
  db.selectFrom('oauth_clients').select('name').where('client_id', '=', clientId).where('disabled', '=', false);

const nameOf = (client: { name: string | null } | undefined): string | null =>
  client ? claimedName(client.name, 'An app without a name') : null;

/** The name that an app claims. Null for an app that is not known, or has ended. */
export const findClientName = async (db: Db, clientId: string): Promise<string | null> =>
  nameOf(await activeClient(db, clientId).executeTakeFirst());

/** Locks the app, so that an app that is ending gets no grant. */
export const lockClientName = async (trx: Trx, clientId: string): Promise<string | null> =>
  nameOf(await activeClient(trx, clientId).forShare().executeTakeFirst());
