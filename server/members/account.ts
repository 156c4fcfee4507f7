import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import type { Role } from '../../contract/plans/roles.ts';
import type { Person } from '../http/request.ts';

export const accountsOf = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('members as member')
    .innerJoin('accounts as account', 'account.id', 'member.account_id')
    .where('member.user_id', '=', userId)
    .orderBy('member.created_at')
    .orderBy('member.id')
    .select(['account.id', 'account.name', 'member.role']);

/** The next sign-in opens this account too. */
export async function actFor(trx: Trx, { sessionId, userId }: Person, accountId: string): Promise<void> {
  await trx.updateTable('sessions').set({ account_id: accountId }).where('id', '=', sessionId).execute();
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(trx);
  await trx
    .updateTable('members')
    .set({ opened_at: sql<Date>`${rows[0]?.at}::timestamptz` })
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
