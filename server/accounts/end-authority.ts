import type { Trx } from '../db/pool.ts';
import { endKeys } from '../keys/api-key.ts';
import { invitationsOf, showInvitation } from './invitation.ts';

type Lost = { accountId: string; userId: string; heir: string | null };

/**
 * What somebody made that gives access to an account ends with their right to make it: their API keys are revoked, or become
 * those of `heir`, and the invitations that they sent are canceled.
 */
export async function endAuthority(trx: Trx, { accountId, userId, heir }: Lost) {
  return {
    api_keys: await endKeys(trx, accountId, { madeBy: userId, heir }),
    invitations: await cancelInvitations(trx, accountId, userId),
  };
}

/** Open invitations of an account; those of one inviter where one is named. */
async function cancelInvitations(trx: Trx, accountId: string, inviterId?: string) {
  const canceled = await trx
    .updateTable('auth.invitation')
    .set({ status: 'canceled' })
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .$if(inviterId !== undefined, (open) => open.where('inviter_id', '=', inviterId ?? ''))
    .returning('id')
    .execute();
  if (canceled.length === 0) return [];
  const ids = canceled.map(({ id }) => id);
  return (await invitationsOf(trx, accountId).where('id', 'in', ids).orderBy('id').execute()).map(showInvitation);
}

/**
 * Ends all that was made in a person's name: sessions, and what gives access to accounts. Of those that they own, or of
 * `whole` ones where these are named, other members and what these made end, too.
 */
export async function endAllOf(trx: Trx, userId: string, whole?: readonly string[]): Promise<void> {
  await trx.deleteFrom('auth.session').where('user_id', '=', userId).execute();
  const memberships = await trx
    .selectFrom('auth.member')
    .select(['account_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('account_id')
    .forUpdate()
    .execute();
  for (const { account_id: accountId, role } of memberships) {
    if (!(whole?.includes(accountId) ?? role === 'owner')) await endAuthority(trx, { accountId, userId, heir: null });
    else {
      await trx.deleteFrom('auth.member').where('account_id', '=', accountId).where('user_id', '!=', userId).execute();
      await endKeys(trx, accountId, { heir: null });
      await cancelInvitations(trx, accountId);
    }
  }
}
