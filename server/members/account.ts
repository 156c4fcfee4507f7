import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import type { Role } from '../../contract/entitlements.ts';
import type { Person } from '../http/caller.ts';

export const accountsOf = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('auth.member as member')
    .innerJoin('auth.account as account', 'account.id', 'member.account_id')
    .where('member.user_id', '=', userId)
    .orderBy('member.created_at')
    .orderBy('member.id')
    .select(['account.id', 'account.name', 'member.role']);

/** The next sign-in opens this account too. */
export async function actFor(trx: Trx, { sessionId, userId }: Person, accountId: string): Promise<void> {
  await trx.updateTable('auth.session').set({ account_id: accountId }).where('id', '=', sessionId).execute();
  await trx
    .updateTable('auth.member')
    .set({ opened_at: sql<Date>`clock_timestamp()` })
    .where((own) => own.and({ account_id: accountId, user_id: userId }))
    .execute();
}

type AccountRow = { id: string; name: string; role: Role };

export const showAccount = ({ id, name, role }: AccountRow, activeId: string | null) => ({
  id: showId('acct', id),
  name,
  role,
  active: id === activeId,
});
