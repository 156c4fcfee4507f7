import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { openUndo, undoable } from '../mail/mail-token.ts';

/** Members whom somebody has invited since a time, and everybody whom those have invited. */
export async function joinedSince(trx: Trx, accountId: string, userId: string, since: Date): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    with recursive intruder (user_id) as (
      select ${userId}::uuid
      union
      select i.accepted_by from invitations i join intruder on i.inviter_id = intruder.user_id
      where i.account_id = ${accountId} and i.created_at >= ${since} and i.accepted_by is not null)
    select m.user_id from members m join intruder using (user_id)
    where m.account_id = ${accountId} and m.user_id <> ${userId} and m.created_at >= ${since}
    order by m.user_id`.execute(trx);
  return rows.map(({ user_id }) => user_id);
}

type Loss = { accountId: string; userId: string; callerId: string };

/**
 * While somebody's change of address or password can be undone, neither they nor anybody they invited since
 * can end their membership: both may be thieves. Other owners and admins can.
 */
export async function refuseThief(trx: Trx, { accountId, userId, callerId }: Loss): Promise<void> {
  const undo = await openUndo(trx, userId);
  if (!undo) return;
  if (callerId === userId) throw undoable('Your', undo.until);
  const joined = await joinedSince(trx, accountId, userId, undo.since);
  if (joined.includes(callerId)) throw undoable('Their', undo.until);
}
