import { sql } from 'kysely';
import type { acceptInvitation as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Request } from '../http/request.ts';
import type { Db, Trx } from '../db/pool.ts';
import { newId, readId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import type { Person } from '../http/caller.ts';
import { accountsOf, actFor, showAccount } from './account.ts';

/** The invited person joins, and this session acts for the account from now on. Someone who is a member already keeps their role. */
export async function acceptInvitation(
  db: Db,
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return db.transaction().execute(async (trx) => {
    const invitation = await holdOpenInvitation(trx, readId('inv', params.id));
    const refusal = inviteeRefusal(caller, invitation.email);
    if (refusal) throw refusal;
    const { id, account_id, role } = invitation;
    await trx
      .insertInto('auth.member')
      .values({ id: newId(), account_id, user_id: caller.userId, role })
      .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doNothing())
      .execute();
    await trx.updateTable('auth.invitation').set({ status: 'accepted' }).where('id', '=', id).execute();
    await actFor(trx, caller, account_id);
    const { id: subject } = params;
    await appendAudit(trx, cause, { action: 'invitation.accepted', subject, accountId: account_id, details: { role } });
    const account = await accountsOf(trx, caller.userId).where('account.id', '=', account_id).executeTakeFirstOrThrow();
    return { status: 200, body: { account: showAccount(account, account_id) } };
  });
}

/** Held, so that it cannot be canceled or accepted twice meanwhile. */
async function holdOpenInvitation(trx: Trx, id: string | null) {
  const invitation =
    id &&
    (await trx
      .selectFrom('auth.invitation')
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('expires_at', '>', sql<Date>`now()`)
      .select(['id', 'account_id', 'email', 'role'])
      .forUpdate()
      .executeTakeFirst());
  if (invitation) return invitation;
  throw new Refusal('not_found', {
    message: 'There is no such open invitation.',
    action: 'Request an owner or admin of the account to invite you again.',
  });
}

/** Whoever holds the id was sent it, so they may know why it does not work for them. */
function inviteeRefusal({ email, emailVerified }: Person, invited: string): Refusal | null {
  if (email !== invited)
    return new Refusal('role_required', {
      message: 'This invitation is for another e-mail address.',
      action: 'Sign in with the address that the invitation was sent to.',
    });
  return emailVerified ? null : new Refusal('email_unverified');
}
