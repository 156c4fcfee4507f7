import { sql } from 'kysely';
import type { Scope } from '../../contract/endpoint.ts';
import { manages } from '../../contract/plans/roles.ts';
import type { Db } from '../db/pool.ts';
import { showApp } from '../keys/connected-app.ts';
import { showId } from '../lib/id.ts';

type Shown = {
  request: string;
  clientId: string;
  name: string;
  redirectHost: string | null;
  scopes: Scope[];
  expiresAt: Date;
};

/** What the person is shown before the decision. */
export const showAsked = async (db: Db, userId: string, shown: Shown) => ({
  request: shown.request,
  app: showApp(shown.clientId, shown.name),
  redirect_host: shown.redirectHost,
  scopes: shown.scopes,
  accounts: await accountsOf(db, userId, shown.clientId),
  expires_at: shown.expiresAt.toISOString(),
});

/** An account that has the app comes first: an app that asks for more means that account. */
async function accountsOf(db: Db, userId: string, clientId: string) {
  const rows = await db
    .selectFrom('members as member')
    .innerJoin('accounts as account', 'account.id', 'member.account_id')
    .where('member.user_id', '=', userId)
    .orderBy(isIn(clientId), 'desc')
    .orderBy('member.opened_at', 'desc')
    .select(['account.id', 'account.name', 'account.suspended_since', 'member.role'])
    .execute();
  return rows.map(({ id, name, suspended_since, role }) => ({
    id: showId('acct', id),
    name,
    may_order: manages(role),
    suspended: suspended_since !== null,
  }));
}

const isIn = (clientId: string) => sql<boolean>`exists (
  select from api_keys k
  where k.account_id = account.id and k.created_by = member.user_id and k.app_client_id = ${clientId}
    and k.revoked_at is null and k.expires_at > now())`;
