import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import type { Role } from '../../contract/entitlements.ts';
import type { Person } from '../http/caller.ts';

/** The accounts that a person belongs to, oldest membership first. */
export const accountsOf = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('auth.member as member')
    .innerJoin('auth.account as account', 'account.id', 'member.account_id')
    .where('member.user_id', '=', userId)
    .orderBy('member.created_at')
    .orderBy('member.id')
    .select(['account.id', 'account.name', 'member.role']);

/** Lets the session act for an account that its person belongs to; asked of the database again with each request. */
export const actFor = (db: Db | Trx, { sessionId }: Person, accountId: string) =>
  db.updateTable('auth.session').set({ account_id: accountId }).where('id', '=', sessionId).execute();

type AccountRow = { id: string; name: string; role: Role };

export const showAccount = ({ id, name, role }: AccountRow, activeId: string | null) => ({
  id: showId('acct', id),
  name,
  role,
  active: id === activeId,
});
