import { sql } from 'kysely';
import { manages } from '../../contract/plans/roles.ts';
import type { Trx } from '../db/pool.ts';
import type { Caller, SessionCaller } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';

/** Locks the member, so that somebody who is being removed or demoted leaves no key behind. */
export async function lockManager(trx: Trx, { accountId, userId }: SessionCaller): Promise<void> {
  const member = await trx
    .selectFrom('members')
    .select('role')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (!manages(member?.role ?? null)) throw new Refusal('role_required');
}

/** Locks the member or the key, so that one that is being removed or revoked leaves nothing behind. */
export async function lockCaller(trx: Trx, caller: Caller): Promise<void> {
  const { accountId } = caller;
  const { rows } = await (
    caller.method === 'session'
      ? sql`select from members where account_id = ${accountId} and user_id = ${caller.userId} for share`
      : sql`select from api_keys where id = ${caller.keyId} and revoked_at is null for share`
  ).execute(trx);
  if (rows.length === 0) throw new Refusal(caller.method === 'session' ? 'no_active_account' : 'unauthenticated');
}
