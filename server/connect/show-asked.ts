import type { Scope } from '../../contract/endpoint.ts';
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
  accounts: await accountsOf(db, userId),
  expires_at: shown.expiresAt.toISOString(),
});

async function accountsOf(db: Db, userId: string) {
  const rows = await db
    .selectFrom('members as member')
    .innerJoin('accounts as account', 'account.id', 'member.account_id')
    .where('member.user_id', '=', userId)
    .orderBy('member.opened_at', 'desc')
    .select(['account.id', 'account.name', 'account.suspended_since', 'member.role'])
    .execute();
  return rows.map(({ id, name, suspended_since, role }) => ({
    id: showId('acct', id),
    name,
    may_order: role !== 'member',
    suspended: suspended_since !== null,
  }));
}
